"""Is there drift, and where?"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from repro.figures import mark_drifts, plot_error
from repro.judge._report.shared import points_text, sentence, where
from repro.judge._stream.comparison import Comparison
from repro.judge._stream.source import Source
from repro.judge._stream.trial import Trial, trial_on
from repro.judge.section import Section
from repro.metrics import sliding_error
from repro.statistics.cross_losses import extra_error
from repro.statistics.dependence import FEWEST
from repro.statistics.drift import Aspect, Drift, drift_test
from repro.statistics.estimates import LEVEL
from repro.streams.stream import Stream

__all__ = ["drift_of", "drift_section", "is_confounded"]

MOST_TRIED = 2_000_000  # numbers of a stream for which streams without drift are always made

QUESTION = "Is there drift, and where?"


def drift_of(
    stream: Stream,
    season: int,
    rng: np.random.Generator,
    seed: int,
    *,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
) -> tuple[Drift, Trial | None]:
    """The drift that is said of `stream`, and what the tests say of such streams without drift.

    These are made where drift is found, and of short streams always, but not if `quick`; in so many
    `jobs`, with stored answers in `cache`.
    """
    drift = drift_test(stream, rng, period=season)
    found = any(aspect.found for aspect in drift.aspects.values())
    is_small = stream.X.size <= MOST_TRIED and drift.labels.blocks.n >= FEWEST
    if not found and (quick or not is_small):
        return drift, None
    trial = trial_on(stream, season, seed, seasons=drift.seasons, jobs=jobs, cache=cache)
    return _without_moved(stream, trial.calibrated(drift), rng, trial), trial


def drift_section(source: Source, drift: Drift, comparison: Comparison) -> Section:
    """The tests in words, and the error of the best learner with the changes marked."""
    texts = [_of_labels(source, drift), _of_attributes(source, drift), _of_concept(drift)]
    length = drift.labels.blocks.length
    texts.append(
        "How this is tested: the stream is cut into blocks of at least five correlation times "
        f"({length:,} examples for the labels, {drift.concept.blocks.length:,} for the rest) with "
        "a gap between them. Without drift every order of the blocks would be as likely, with runs "
        "of labels and seasons; so the true order is compared with random orders of the blocks. "
        f"{_of_places(drift)}All tests together say drift where there is none in at most "
        f"{LEVEL:.0%} of such streams. Dependence that reaches beyond a block cannot be told from "
        "drift."
    )
    positions = sorted({p for aspect in drift.aspects.values() for p in aspect.positions})
    n = len(source.stream)
    window, every = max(50, n // 50), max(1, n // 1000)
    loss = (comparison.predictions[comparison.best] != source.stream.y).astype(np.float64)
    curve = sliding_error(loss, window)
    ax = plot_error({comparison.best: curve}, start=window, every=every)
    mark_drifts(ax, positions)
    ax.legend(frameon=False)
    alt = (
        f"Error of {comparison.best} over the last {window:,} examples along the stream, between "
        f"{100 * curve[window - 1 :].min():.1f} and {100 * curve[window - 1 :].max():.1f} %, with "
        + (
            f"changes marked at {sentence(map(str, positions))}."
            if positions
            else "no change marked."
        )
    )
    return Section(
        "drift", QUESTION, "\n\n".join(texts), _table(drift), ax.get_figure(root=True), alt
    )


def is_confounded(drift: Drift) -> bool:
    """Whether a change of the concept cannot be told from that of the attributes."""
    return drift.attributes.found and bool(np.isnan(drift.concept.p_value))


def _without_moved(stream: Stream, drift: Drift, rng: np.random.Generator, trial: Trial) -> Drift:
    """`drift`, with a change of the concept only if attributes that do not change show it.

    A model that was learned before a change of the attributes meets other values after it, and errs
    more even if labels follow from attributes as before.
    """
    if not (drift.attributes.found and drift.concept.found):
        return drift
    moved = drift.attributes.which
    rest = [j for j in range(stream.schema.n_features) if j not in moved]
    if moved and rest:
        nominal = np.array([stream.schema.nominal[j] for j in rest])
        part = Stream(stream.X[:, rest], stream.y, nominal, n_classes=stream.schema.n_classes)
        of = [drift.seasons[j] for j in rest]
        again = trial.calibrated(drift_test(part, rng, period=trial.season, seasons=of))
        if again.concept.found:
            concept, learner, losses = again.concept, again.learner, again.losses
            return drift._replace(concept=concept, learner=learner, losses=losses)
    return drift._replace(concept=Aspect(drift.concept.blocks))


def _table(drift: Drift) -> pd.DataFrame:
    rows = {
        name: {
            "p (corrected)": aspect.p_value,
            "changes": _count(aspect),
            "positions": ", ".join(map(str, aspect.positions)),
            "± examples": aspect.blocks.length,
            "blocks": aspect.blocks.n,
        }
        for name, aspect in drift.aspects.items()
    }
    return pd.DataFrame(rows).T.rename_axis("what may change")


def _count(aspect: Aspect) -> int | str:
    placed = len(aspect.positions)
    return f"at least {placed + 1}" if aspect.unplaced else placed


def _of_places(drift: Drift) -> str:
    """That blocks begin at random places, where they do."""
    by_phase = (
        aspect.blocks.starts[1:] % aspect.blocks.length for aspect in drift.aspects.values()
    )
    if not any(np.unique(phases).size > 1 for phases in by_phase):
        return ""
    return (
        "As labels or attributes have seasons, blocks begin at random places, so that the phase of "
        "a season is drawn anew for each. "
    )


def _untested(aspect: Aspect) -> str:
    blocks = aspect.blocks
    return (
        f"cannot be told. Examples depend on each other over about {blocks.memory:,.0f} steps, "
        f"which leaves {blocks.n} blocks; a test needs at least {FEWEST}"
    )


def _of_labels(source: Source, drift: Drift) -> str:
    aspect = drift.labels
    if np.isnan(aspect.p_value):
        return f"Label shares: {_untested(aspect)}."
    if not aspect.found:
        return f"Label shares: no change is seen (p = {aspect.p_value:.2g})."
    if not aspect.positions:
        return f"Label shares change {where(aspect)} (p = {aspect.p_value:.2g})."
    edges = [0, *aspect.positions, len(source.stream)]
    y, n_classes = source.stream.y, source.counts.size
    parts = np.array(
        [np.bincount(y[a:b], minlength=n_classes) / (b - a) for a, b in pairwise(edges)]
    )
    which = np.array(aspect.which or range(n_classes))
    most = which[np.ptp(parts[:, which], axis=0).argmax()]
    shares = sentence([f"{share:.1%}" for share in parts[:, most]])
    return (
        f"Label shares change {where(aspect)} (p = {aspect.p_value:.2g}): "
        f"{source.labels[most]}, of which it changes most, holds {shares} of the parts between."
    )


def _of_attributes(source: Source, drift: Drift) -> str:
    aspect, names = drift.attributes, source.attributes
    seasonal = [f"{name} ({p[0]:,})" for name, p in zip(names, drift.seasons, strict=True) if p]
    notes = {
        "Seasons of about so many examples": seasonal,
        "Too slow to tell drift from dependence": [names[j] for j in drift.slow],
        "Constant": [names[j] for j in drift.constant],
    }
    more = "".join(f" {title}: {sentence(which)}." for title, which in notes.items() if which)
    if np.isnan(aspect.p_value):
        return f"Attributes: no test was possible.{more}"
    if not aspect.found:
        return f"Attributes: no change is seen (p = {aspect.p_value:.2g}).{more}"
    which = sentence(names[j] for j in aspect.which) if aspect.which else "several together"
    return f"Attributes change {where(aspect)} (p = {aspect.p_value:.2g}): {which}.{more}"


def _of_concept(drift: Drift) -> str:
    aspect = drift.concept
    if is_confounded(drift):
        return (
            "Concept, that is, how labels follow from attributes: cannot be told. Models learned "
            "elsewhere err more, but they meet other values of the attributes, which change."
        )
    if np.isnan(aspect.p_value):
        why = "no attribute could be tested" if aspect.blocks.n >= FEWEST else _untested(aspect)
        return f"Concept, that is, how labels follow from attributes: {why}."
    if not aspect.found:
        return (
            "Concept, that is, how labels follow from attributes: no change is seen "
            f"(p = {aspect.p_value:.2g}). Models learned elsewhere in the stream are not seen to "
            "err more than models learned nearby. A change that "
            f"{drift.learner} cannot see would be missed."
        )
    also = " The change of label shares may be a part of it." if drift.labels.found else ""
    first = (
        f"Concept, that is, how labels follow from attributes, changes {where(aspect)} "
        f"(p = {aspect.p_value:.2g})."
    )
    if not aspect.positions:
        return (
            f"{first} How well a model predicts a block depends on how many blocks away it was "
            f"learned.{also}"
        )
    length = aspect.blocks.length
    edges = [p // length for p in (0, *aspect.positions)] + [aspect.blocks.n]
    costs = []
    for start, split, end in zip(edges, edges[1:], edges[2:], strict=False):
        cost = extra_error(drift.losses, start, split, end)
        costs.append(f"{points_text(cost)} points at {split * length:,}")
    return (
        f"{first} On the same examples, the error of models from across a change less that of "
        f"models from the same side is {sentence(costs)} (s.e.).{also}"
    )
