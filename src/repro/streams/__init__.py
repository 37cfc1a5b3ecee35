"""Streams: your own arrays, or generators that know the truth about what they draw."""

from repro.streams.component import Component, Transform
from repro.streams.concepts import Severity, frozen, severity
from repro.streams.export import export
from repro.streams.mixture import BayesError, DriftingMixture, MixtureClass
from repro.streams.mixture_toml import read_mixture, write_mixture
from repro.streams.stream import Schema, Stream
from repro.streams.testbed import TESTBED, VARIANTS

__all__ = [
    "TESTBED",
    "VARIANTS",
    "BayesError",
    "Component",
    "DriftingMixture",
    "MixtureClass",
    "Schema",
    "Severity",
    "Stream",
    "Transform",
    "export",
    "frozen",
    "read_mixture",
    "severity",
    "write_mixture",
]
