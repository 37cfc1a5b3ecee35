"""JAX as this package uses it, or an error that names the extra."""

from __future__ import annotations

import os

from repro._folders import DISTRIBUTION, install_command

__all__ = ["jax", "jnp", "lax", "optax"]

# XLA reads these when JAX first computes. Each product of matrices gets one thread: rounding would
# depend on the number of threads. XLA also divides some sums by the number of cores, so it is told
# of two on every machine.
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
if ONE_THREAD not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {ONE_THREAD}".strip()
os.environ["NPROC"] = "2"

try:
    import jax
    import jax.numpy as jnp
    import optax
    from jax import lax
except ImportError as error:
    extra = f"{DISTRIBUTION}[networks]"
    raise ImportError(
        f"repro.networks needs JAX and optax, the extra {extra}; get them with\n"
        f"  {install_command('networks')}"
    ) from error
