"""Streams of your own arrays, of data sets, and of generators that state the truth."""

from repro.streams.component import Component, Transform
from repro.streams.compose import gradual, recurring, sudden
from repro.streams.composition import Composition
from repro.streams.description import BayesError, StreamDescription
from repro.streams.electricity import (
    ELEC2_STATISTICS,
    compare_with_elec2,
    electricity_like,
    electricity_statistics,
)
from repro.streams.export import export
from repro.streams.from_mixture import Severity, paired_streams, severity, snapshot
from repro.streams.from_river import from_river
from repro.streams.hyperplane import Hyperplane
from repro.streams.incremental import Incremental, incremental
from repro.streams.injected import injected
from repro.streams.label_chain import LabelChain
from repro.streams.label_delay import delay_by_time, random_delay
from repro.streams.led import LED
from repro.streams.mixture import DriftingMixture, MixtureClass
from repro.streams.mixture_toml import read_mixture, write_mixture
from repro.streams.permuted import Permuted, Shuffled
from repro.streams.random_rbf import RandomRBF
from repro.streams.random_tree import RandomTree
from repro.streams.read_csv import read_csv
from repro.streams.real import load
from repro.streams.redrawn import Redrawn
from repro.streams.sea import SEA, SEA_THRESHOLDS
from repro.streams.stand_ins import stand_in
from repro.streams.stream import Schema, Stream
from repro.streams.testbed import TESTBED, VARIANTS
from repro.streams.waveform import Waveform

__all__ = [
    "ELEC2_STATISTICS",
    "LED",
    "SEA",
    "SEA_THRESHOLDS",
    "TESTBED",
    "VARIANTS",
    "BayesError",
    "Component",
    "Composition",
    "DriftingMixture",
    "Hyperplane",
    "Incremental",
    "LabelChain",
    "MixtureClass",
    "Permuted",
    "RandomRBF",
    "RandomTree",
    "Redrawn",
    "Schema",
    "Severity",
    "Shuffled",
    "Stream",
    "StreamDescription",
    "Transform",
    "Waveform",
    "compare_with_elec2",
    "delay_by_time",
    "electricity_like",
    "electricity_statistics",
    "export",
    "from_river",
    "gradual",
    "incremental",
    "injected",
    "load",
    "paired_streams",
    "random_delay",
    "read_csv",
    "read_mixture",
    "recurring",
    "severity",
    "snapshot",
    "stand_in",
    "sudden",
    "write_mixture",
]
