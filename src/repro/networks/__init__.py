"""Networks that learn tasks one after the other: SNG, ENS, ENSGEN, ENSGENDEL."""

from repro.networks.distances import nearest_distance
from repro.networks.ensemble import ENS
from repro.networks.network import Network, OnlineNetwork, State
from repro.networks.presets import DIGITS, MNIST
from repro.networks.replay import ENSGEN, ENSGENDEL, Replay
from repro.networks.single import SNG

__all__ = [
    "DIGITS",
    "ENS",
    "ENSGEN",
    "ENSGENDEL",
    "MNIST",
    "SNG",
    "Network",
    "OnlineNetwork",
    "Replay",
    "State",
    "nearest_distance",
]
