"""What a report on learners is about: the learners, by role, and the streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from repro._checks import shown
from repro.data_sets.catalogue import catalogue
from repro.interop.adapting import check_learners
from repro.judge._learner.own_draws import OwnDraws
from repro.judge._report.shared import as_models, numbered
from repro.learners.baselines import BayesOptimal, Majority, NoChange
from repro.streams.real import load
from repro.streams.stream import Stream
from repro.streams.testbed import TESTBED

__all__ = ["Entrants", "as_entrants", "as_streams", "first_draws"]

QUICK = "NB", "SGD", "NN100"  # those that compile in a few seconds
STREAMS = "names of the testbed or of data sets, descriptions, Streams, or a mapping to them"


@dataclass(frozen=True)
class Entrants:
    """The learners of a report by name, and the names by role.

    Attributes
    ----------
    learners : all but the optimum: the models to judge first.
    mine : names of the models to judge.
    majority, persistence : names of the two baselines.
    optimal : name of the optimum, which no learner has.
    """

    learners: Mapping[str, Any]
    mine: tuple[str, ...]
    majority: str
    persistence: str
    optimal: str

    @property
    def others(self) -> list[str]:
        """Names of the learners to compare with."""
        return [name for name in self.learners if name not in self.mine]

    @property
    def baselines(self) -> list[str]:
        """Names of the two baselines."""
        return [self.majority, self.persistence]


def as_entrants(models: Any, references: Any, *, quick: bool = False) -> Entrants:
    """The learners of a report on `models`; `references` None means those of the testbed's paper.

    With `quick` these are three of them, of different kinds.

    Majority and persistence are added unless they are among them. Your name stays, and a
    reference of the same name is called ``"NB (reference)"``.
    """
    mine, others = as_models(models, name="learners"), _references(references, quick)
    check_learners(mine)
    check_learners(others, name="references")
    learners = dict(mine)
    for name, learner in others.items():
        if not isinstance(learner, BayesOptimal):
            learners[_free(name, learners)] = learner
    baselines = []
    for name, baseline in (("Majority", Majority()), ("NoChange", NoChange())):
        same = [key for key in learners if key not in mine and _equal(learners[key], baseline)]
        baselines.append(same[0] if same else _free(name, learners))
        learners.setdefault(baselines[-1], baseline)
    return Entrants(learners, tuple(mine), baselines[0], baselines[1], _free("Optimal", learners))


def _equal(one: Any, other: Any) -> bool:
    """Whether two learners are equal; models of other libraries may refuse to be compared."""
    return type(one) is type(other) and bool(one == other)


def _references(references: Any, quick: bool) -> Mapping[str, Any]:
    if references is None:
        from repro.papers import testbed  # here: it loads the learners of a whole notebook

        names = QUICK if quick else testbed.LEARNERS
        return {name: testbed.LEARNERS[name] for name in names}
    is_empty = isinstance(references, Mapping | list | tuple) and not references
    return {} if is_empty else as_models(references, name="references")


def _free(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name = f"{name} (reference)"
    return name


def as_streams(streams: Any) -> dict[str, Any]:
    """Return `streams` by name: Streams, and descriptions with draws of their own.

    A text is a name of the testbed, or of a data set that is there.

    Raises TypeError for another object, ValueError for no stream and an unknown name.
    """
    if isinstance(streams, Mapping):
        by_name = {
            str(name): _stream(stream, f"streams[{name!r}]") for name, stream in streams.items()
        }
    else:
        listed = list(streams) if isinstance(streams, list | tuple) else [streams]
        named = (_stream(stream, "streams") for stream in listed)
        by_name = numbered((getattr(one, "name", "") or "stream", one) for one in named)
    if not by_name:
        raise ValueError(f"streams must hold at least one stream; got {shown(streams)}")
    return {
        name: stream if isinstance(stream, Stream) else OwnDraws(stream, name)
        for name, stream in by_name.items()
    }


def _stream(stream: Any, name: str) -> Any:
    if isinstance(stream, str):
        if stream in TESTBED:
            return TESTBED[stream]
        if stream not in (sets := catalogue()):
            known = f"{', '.join(TESTBED)}, or a data set: {', '.join(sets)}"
            raise ValueError(f"{name} must be one of {known}; got {shown(stream)}")
        return load(stream)
    is_description = hasattr(stream, "sample") and not isinstance(stream, type)
    if not isinstance(stream, Stream) and not is_description:
        raise TypeError(f"{name} must be {STREAMS}; got {shown(stream)}")
    return stream


def first_draws(streams: Mapping[str, Any], seed: int) -> dict[str, Stream]:
    """The draw of each stream with `seed`: its length, its drifts, whether its optimum is known.

    Raises RuntimeError with the name of a stream that cannot be drawn.
    """
    draws = {}
    for name, stream in streams.items():
        try:
            draws[name] = stream if isinstance(stream, Stream) else stream.sample(seed)
        except Exception as error:
            kind = f"{type(error).__name__}: {error}"
            raise RuntimeError(
                f"streams[{name!r}] cannot be drawn with seed {seed}: {kind}"
            ) from error
    return draws
