"""Is there drift, and where; and what detectors say of the same examples in other orders."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from repro.evaluation.prequential import prequential
from repro.figures import mark_drifts, plot_error
from repro.judge._shared import sentence
from repro.judge._stream_blocks import FEWEST
from repro.judge._stream_learners import Comparison
from repro.judge._stream_source import Source
from repro.judge._stream_tests import LEVEL, Aspect, Drift, extra_error
from repro.judge._stream_trial import DETECTORS, TEST, false_alarms, like
from repro.judge.section import Section
from repro.learners import NaiveBayes
from repro.metrics import sliding_error
from repro.streams.stream import Stream

__all__ = ["sections", "trial", "where"]

LONGEST = 100_000  # examples on which detectors run in other orders
COPIES = 3  # random orders of each kind
STREAMS = 200  # drift-free streams that are simulated
QUESTION = "Is there drift, and where?"


def where(aspect: Aspect) -> str:
    """The positions of changes with the reach of their uncertainty, a block to each side."""
    places = [f"{p:,}" for p in aspect.positions]
    return f"near example {sentence(places)} (± {aspect.blocks.length:,})"


def sections(
    source: Source, drift: Drift, found: Comparison, rng: np.random.Generator
) -> tuple[Section, Section]:
    """The tests in words, and detectors on the same examples in other orders."""
    return _tests(source, drift, found), _detectors(source.stream, drift, rng)


def _tests(source: Source, drift: Drift, found: Comparison) -> Section:
    texts = [_of_labels(source, drift), _of_attributes(source, drift), _of_concept(drift)]
    length = drift.labels.blocks.length
    texts.append(
        "How this is tested: the stream is cut into blocks of at least five correlation times "
        f"({length:,} examples for the labels, {drift.concept.blocks.length:,} for the rest) with "
        "a gap between them. Without drift every order of the blocks would be as likely, with runs "
        "of labels and seasons; so the true order is compared with random orders of the blocks. "
        f"All tests together say drift where there is none in at most {LEVEL:.0%} of such streams. "
        "Dependence that reaches beyond a block cannot be told from drift."
    )
    positions = sorted({p for aspect in drift.aspects.values() for p in aspect.positions})
    n = len(source.stream)
    window, every = max(50, n // 50), max(1, n // 1000)
    loss = (found.predictions[found.best] != source.stream.y).astype(np.float64)
    curve = sliding_error(loss, window)
    ax = plot_error({found.best: curve}, start=window, every=every)
    mark_drifts(ax, positions)
    ax.legend(frameon=False)
    alt = (
        f"Error of {found.best} over the last {window:,} examples along the stream, between "
        f"{100 * curve[window - 1 :].min():.1f} and {100 * curve[window - 1 :].max():.1f} %, with "
        + (f"changes marked at {sentence(map(str, positions))}." if positions else "no change.")
    )
    return Section(
        "drift", QUESTION, "\n\n".join(texts), _table(drift), ax.get_figure(root=True), alt
    )


def _table(drift: Drift) -> pd.DataFrame:
    rows = {
        name: {
            "p (corrected)": aspect.p_value,
            "changes": len(aspect.positions),
            "positions": ", ".join(map(str, aspect.positions)),
            "± examples": aspect.blocks.length,
            "blocks": aspect.blocks.n,
        }
        for name, aspect in drift.aspects.items()
    }
    return pd.DataFrame(rows).T.rename_axis("what may change")


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
    edges = [0, *aspect.positions, len(source.stream)]
    which = aspect.which or (int(source.counts.argmax()),)
    parts = [np.mean(source.stream.y[a:b] == which[0]) for a, b in pairwise(edges)]
    shares = sentence([f"{share:.1%}" for share in parts])
    return (
        f"Label shares change {where(aspect)} (p = {aspect.p_value:.2g}): "
        f"{source.labels[which[0]]} holds {shares} of the parts between."
    )


def _of_attributes(source: Source, drift: Drift) -> str:
    aspect = drift.attributes
    names = {j: source.attributes[j] for j in range(len(source.attributes))}
    slow = f" Too slow to tell drift from dependence: {sentence(names[j] for j in drift.slow)}."
    constant = f" Constant: {sentence(names[j] for j in drift.constant)}."
    more = (slow if drift.slow else "") + (constant if drift.constant else "")
    if np.isnan(aspect.p_value):
        return f"Attributes: no test was possible.{more}"
    if not aspect.found:
        return f"Attributes: no change is seen (p = {aspect.p_value:.2g}).{more}"
    which = sentence(names[j] for j in aspect.which) if aspect.which else "several together"
    return f"Attributes change {where(aspect)} (p = {aspect.p_value:.2g}): {which}.{more}"


def _of_concept(drift: Drift) -> str:
    aspect = drift.concept
    if np.isnan(aspect.p_value):
        why = "no attribute could be tested" if aspect.blocks.n >= FEWEST else _untested(aspect)
        return f"Concept, that is, how labels follow from attributes: {why}."
    if not aspect.found:
        return (
            "Concept, that is, how labels follow from attributes: no change is seen "
            f"(p = {aspect.p_value:.2g}). Models learned elsewhere in the stream predict as well "
            "as models learned nearby. A change that naive Bayes cannot see would be missed."
        )
    length = aspect.blocks.length
    edges = [p // length for p in (0, *aspect.positions)] + [aspect.blocks.n]
    costs = []
    for first, split, last in zip(edges, edges[1:], edges[2:], strict=False):
        cost, error = extra_error(drift.losses, first, split, last)
        costs.append(f"{100 * cost:.1f} ± {100 * error:.1f} points at {split * length:,}")
    also = " The change of label shares may be a part of it." if drift.labels.found else ""
    return (
        f"Concept, that is, how labels follow from attributes, changes {where(aspect)} "
        f"(p = {aspect.p_value:.2g}). Models from across a change err more than models from the "
        f"same side, on the same examples: {sentence(costs)} (s.e.).{also}"
    )


def _detectors(stream: Stream, drift: Drift, rng: np.random.Generator) -> Section:
    """Alarms on the losses of naive Bayes: in the order of the stream, and in random orders."""
    n = min(len(stream), LONGEST)
    part = stream if n == len(stream) else stream.take(np.arange(n))
    length = drift.concept.blocks.length
    blocks = np.array_split(np.arange(n), max(1, round(n / length)))
    kinds = {
        "as it is": [np.arange(n)],
        "blocks in random order": [
            np.concatenate([blocks[i] for i in rng.permutation(len(blocks))]) for _ in range(COPIES)
        ],
        "examples in random order": [rng.permutation(n) for _ in range(COPIES)],
    }
    counts: dict[str, dict[str, float]] = {name: {} for name in DETECTORS}
    for kind, orders in kinds.items():
        losses = [prequential(NaiveBayes(), part.take(o), proba=False).loss for o in orders]
        for name, detector in DETECTORS.items():
            found = [len(detector.alarms(loss)) for loss in losses]
            counts[name][kind] = float(np.mean(found))
            if len(found) > 1:
                counts[name][f"{kind} ± s.e."] = float(np.std(found, ddof=1) / len(found) ** 0.5)
    table = pd.DataFrame(counts).T.rename_axis("detector")
    first = "" if n == len(stream) else f" on the first {n:,} examples"
    listed = sentence(
        f"{name} alarms {row['as it is']:.0f} times ({row['blocks in random order']:.0f} and "
        f"{row['examples in random order']:.0f})"
        for name, row in counts.items()
    )
    text = (
        f"Drift detectors take losses for independent. On the losses of naive Bayes{first}, "
        f"{listed}; in parentheses with blocks, and with single examples, in random order. Where "
        "blocks in random order give as many alarms as the stream itself, the alarms come from "
        "runs of labels, not from drift: do not read them as drifts."
    )
    return Section("detectors", "What would drift detectors say?", text, table)


def trial(source: Source, error: float, seed: int) -> Section:
    """How often the tests are wrong on simulated streams like this one, but without drift."""
    stream = source.stream
    chain = like(stream.y, error)
    table = false_alarms(chain, range(seed, seed + STREAMS))
    own = table.loc[TEST]
    shorter = "" if chain.n == len(stream) else f" of {chain.n:,} examples"
    text = (
        f"On {STREAMS} simulated streams{shorter} with your label persistence and no drift, the "
        f"test of this report found drift in {own['wrong [%]']:.1f} ± "
        f"{own['wrong [%] ± s.e.']:.1f} % (s.e.); the nominal level is {LEVEL:.0%}. "
        + sentence(f"{name} alarmed in {table.at[name, 'wrong [%]']:.0f} %" for name in DETECTORS)
        + " of them."
    )
    return Section("false_alarms", "How often is the drift test wrong?", text, table)
