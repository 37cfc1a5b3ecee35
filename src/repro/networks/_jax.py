"""JAX as this package uses it, or an error that names the extra; products that add up in order.

Training amplifies a difference in the last bit. So rounding shall not depend on the machine: on its
cores, on its caches, or on instructions that only some processors have. How far that was tried is
in docs/reliability.md, Section "Other machines".
"""

from __future__ import annotations

import os
import platform
from typing import Any

from repro._folders import DISTRIBUTION, install_command

try:
    import jax
    import jax.numpy as jnp
    import optax
    from jax import lax
    from jaxlib.version import __version__ as jaxlib_version
except ImportError as error:
    extra = f"{DISTRIBUTION}[networks]"
    raise ImportError(
        f"repro.networks needs JAX and optax, the extra {extra}; get them with\n"
        f"  {install_command('networks')}"
    ) from error

__all__ = ["apart", "jax", "jnp", "lax", "optax", "product", "transposed"]

# XLA reads these when JAX first computes. It makes products of matrices itself, which add up from
# the first column to the last, for the instructions of AVX2 where a processor has more. It divides
# some sums by the number of cores, so it is told of two on every machine.
FLAGS = [
    "--xla_cpu_multi_thread_eigen=false",
    "--xla_backend_extra_options=xla_force_enable_experimental_llvm_ir_gemm",
]
if platform.machine() in ("x86_64", "AMD64"):
    FLAGS.append("--xla_cpu_max_isa=AVX2")
if jaxlib_version.startswith("0.10."):  # a flag that is unknown would end the process
    # No library that has other code for each kind of processor.
    FLAGS.append("--xla_cpu_experimental_ynn_fusion_type=")
_before = os.environ.get("XLA_FLAGS", "").split()
os.environ["XLA_FLAGS"] = " ".join([flag for flag in FLAGS if flag not in _before] + _before)
os.environ["NPROC"] = "2"


@jax.custom_vjp
def product(a: Any, b: Any) -> Any:
    """``a @ b``, with a gradient that adds up in order, too.

    XLA leaves a product with a transposed matrix to code that adds up in blocks as large as the
    processor's caches allow. So the transposed matrix is made first, and multiplied as it is.
    """
    return a @ b


def transposed(matrix: Any) -> Any:
    """The transposed matrix as an array of its own."""
    return apart(matrix.T)


def apart(array: Any) -> Any:
    """`array` as XLA computes it alone: it is not merged into what is computed from it."""
    return lax.optimization_barrier(array)  # type: ignore[no-untyped-call]


def _forward(a: Any, b: Any) -> Any:
    return a @ b, (a, b)


def _backward(factors: Any, gradient: Any) -> Any:
    a, b = factors
    return gradient @ transposed(b), transposed(a) @ gradient


product.defvjp(_forward, _backward)
