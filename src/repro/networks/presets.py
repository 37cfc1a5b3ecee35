"""The four networks with the settings for each data set."""

from __future__ import annotations

from typing import Any

from repro._named import Named
from repro.networks.ensemble import ENS
from repro.networks.network import Network
from repro.networks.replay import ENSGEN, ENSGENDEL
from repro.networks.single import SNG

__all__ = ["DIGITS", "MNIST"]

#: The paper's settings, for MNIST's 28x28 images with pixels over 255.
MNIST: Named[Network] = Named(
    {
        "SNG": SNG(),
        "ENS": ENS(),
        "ENSGEN": ENSGEN(),
        "ENSGENDEL": ENSGENDEL(),
    }
)

_SMALL: dict[str, Any] = {"batch": 32, "learning_rate": 1e-3}
_ENSEMBLE: dict[str, Any] = {"hidden": (64, 32), "passes": 50, "stop": "never", **_SMALL}
_REPLAY: dict[str, Any] = {"encoder": (64, 32), "draws": 500, **_ENSEMBLE}

#: Smaller networks, for scikit-learn's 8x8 digits with pixels over 16.
DIGITS: Named[Network] = Named(
    {
        "SNG": SNG(hidden=(64, 64), passes=30, **_SMALL),
        "ENS": ENS(**_ENSEMBLE),
        "ENSGEN": ENSGEN(**_REPLAY),
        "ENSGENDEL": ENSGENDEL(**_REPLAY, epsilon=1.5),
    }
)
