"""JAX as this package uses it: on one thread, or an error that names the extra."""

from __future__ import annotations

import os

from repro._folders import DISTRIBUTION, install_command

__all__ = ["jax", "jnp", "lax", "optax"]

# One thread: a network gains little from a second one, rounding would depend on the number of
# threads, and seeds run side by side in processes. XLA reads this when JAX first computes.
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
if ONE_THREAD not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {ONE_THREAD}".strip()

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
