"""The page docs/league.md: every number comes from the committed tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from leagues import river_models
from leagues.detector_page import detectors_part
from leagues.entered import entered_part, renamed, with_entries
from leagues.learners import STREAMS, Entry, arguments, entries
from leagues.markdown import listed, number, rounded, table, with_error
from leagues.pareto import front
from leagues.places import DRAWS, place_intervals
from leagues.special_page import special_part
from leagues.speed import BUDGET, LEAST, ROUNDS, STREAMS_TIMED, per_second
from leagues.standings import OPTIMUM, standings
from repro.league.entry import FIELDS
from repro.statistics import critical_difference
from repro.statistics.estimates import LEVEL
from repro.streams import Composition

__all__ = ["PICTURE", "RANKS", "against_speed", "render"]

TEXT = """\
# A league of learners

Every classifier of river that can run on numbers, every learner of this library, at their defaults,
and learners that [entered by file](#entries-by-file), on {n_streams} streams whose
optimum is known.
`python docs/make_league.py` makes the runs and writes this page from the tables `league_*.csv` in
`data/results`: [learners](../data/results/league_learners.csv),
[rare classes and late labels](../data/results/league_special.csv),
[entries by file](../data/results/league_entries.csv), [speed](../data/results/league_speed.csv) and
[detectors](../data/results/league_detectors.csv), [on real
streams](../data/results/league_injected.csv). No number on this page is typed. {versions}
[Detectors](#detectors) have a league of their own below.

## What is measured

Each example is predicted and then learned, from the first one on. The *excess* is the error of the
learner minus that of the Bayes-optimal labels on the same draw, in points (hundredths); 0 is the
least that a learner can expect. The sign ± gives the standard error over the seeds, which draw the
examples and seed the learner; learners that take long have fewer seeds, and one seed has no
standard error. *Rank* is the mean, over the streams, of the rank by excess. *Within 1* counts the
streams with an excess of at most one point; *worst on* names the stream of the greatest excess.

*Places* are those that a learner has in {level} % of {draws} resamples of the streams and the seeds
(a bootstrap; the seeds are the same for all): how much the place depends on which streams and draws
were taken. With one seed only the streams are drawn, so that interval is too short.

*Speed* is the number of examples predicted and learned in a second of the processor: one learner at
a time, the least of {rounds} rounds on the first examples of {timed}, as many as take
about {budget} s, but at least {least}. Compilation is not counted. For learners that slow down
along a stream it is too favourable. *KiB* is the greatest memory of a learner of ours; river's is
not measured.

## The table

{standings}

{told_apart}

![{ranks_alt}]({ranks})

{unfinished}

## Entries by file

{entered}

## Error against speed

![{alt}]({picture})

{front}

## Stream by stream

Excess in points, in the order of the table.

{by_stream}

The streams, with the error of the optimum in percent:

{streams}

## Who takes part

A class that needs no argument runs as it is. One that needs some is given what stands in the column
*with*. A model of river that knows two classes only runs in river's `OneVsRestClassifier` on
{several}. Attributes are not scaled, because no default does so: linear models and
neighbours of river would gain from a scaler on some streams.

These classes of river cannot take part:

{excluded}

## What not to conclude

* Defaults are compared, not algorithms: a setting that fits a stream can change a place by far, and
  the bases of the ensembles are our choice.
* The streams are synthetic, short and mostly of two attributes, so that the optimum is known. Real
  streams have dependent labels, missing values and many attributes, of which nothing is said here.
* Learners whose *places* overlap may change places with other streams or seeds. For a test of two
  learners on the same draws use `repro.judge.learner`.
* Speed is that of one machine and of Python's or numba's loop, not of an algorithm.

## How to cite

Places change as learners enter. Name the version of this repository that you read, or the folder of
a frozen round. `python docs/make_league.py --freeze` copies the tables as they are into
`data/results/league-ROUND`; its card has the round, the digest of the streams and the sha256 of
each table. {frozen}

## How to enter with a file

A learner in any language enters with its predictions, in any folder where `repro` is installed:

```sh
python -m repro league streams --out streams     # {n_streams} streams with 5 seeds each: CSV files
python -m repro league check entries/mine        # says in seconds what is wrong
python -m repro league add entries/mine --table entries.csv
```

Between the first and the second, predict the label of each row of a file from its attributes `x0`,
`x1`, ... and from the rows before it, their labels included. Write the labels into
`entries/mine/predictions.csv` with the columns `stream,seed,example,label`; the first row is
`NSGT,0,0,` and a 0 or a 1. Write these texts into `entries/mine/card.toml`, the last two as they
stand in `streams/round.toml`:

{fields}

Rows of `entries.csv` come onto this page from `data/results/league_entries.csv`.

A learner in Python does all of it with `python -m repro league run yourmodule:YourLearner --out
entries/mine --by YOU --library "NAME VERSION"`, and `league add --rerun yourmodule:YourLearner`
runs it again: the table then says "re-run, equal".

MOA's learners enter this way, at their defaults: `python benchmarks/moa_entries.py` runs MOA's own
loop on these streams and writes an entry for each.

`check` refuses an entry whose form is wrong. It also refuses one that is right more often than a
learner can be that does not know labels before they are due, and one that knows a concept before
it can have learned it (probability by chance below 10⁻⁶). It flags, for a person to look at, what
is less certain, and entries that predict like another one or like another draw. It cannot see
labels that were used in fewer than about three of a hundred examples, settings that were chosen on
these streams, or a learner that was told where the drifts are.

## A round whose labels are withheld

The streams above are public with their labels, so a check has to find out who used them. In a round
nobody can: labels are published when their examples have been predicted.

```sh
python -m repro league round open here --name 2027.01   # the organiser, who publishes here/public
python -m repro league round next here                  # after each block, until the last
python -m repro league round verify public entries      # anybody, when the round is over
```

`open` draws a secret, of which the seeds of the draws are made, and publishes its sha256 and the
attributes of the first of 20 blocks of each stream. Participants hand in `block-00.csv`, with the
columns of an entry and the number of the draw as its seed, and a card, into `entries/NAME` of the
organiser. `next` publishes the sha256 of each of these files, then the labels of the block and the
attributes of the next one. After the last block it publishes the secret and `standings.csv`, with
the error of each entry and of the optimum. `verify` draws the streams again, and compares: the
secret has its hash, the draws are those of the secret, the predictions have their hashes, and the
standings are theirs. A learner in Python predicts a block with `python -m repro league round
predict public yourmodule:YourLearner --out mine --by YOU --library "NAME VERSION"`.

A learner gets the labels of a block of 500 examples together, so its error is not that of the table
above. A round keeps nobody from using the concepts and the places of the drifts, which are public:
what is found of that is said as by `check`. The organiser knows the secret, and takes no part.

## How to add a learner of this library or of river

Your own learner beside some of these, with tests: `python -m repro judge learner
yourpackage.module:YourLearner`. To put one on this page, export it from `repro.learners`, or, for a
class of river that needs arguments, add them to `docs/leagues/river_models.py`. Then

```sh
python docs/make_league.py --learners YourLearner --seeds 10
python docs/make_league.py --backend dask --scheduler tcp://HOST:8786    # the same on a cluster
```

Runs that have finished are kept: each is a row of the table, and a second call makes only those
that are missing, or of another version of its library. `--cap SECONDS` leaves learners that take
longer at one seed.
"""
POINTS = 100
PICTURE, RANKS = "league_speed.png", "league_ranks.png"  #: beside the page


def render(
    runs: pd.DataFrame,
    times: pd.DataFrame,
    alarms: pd.DataFrame,
    real: pd.DataFrame,
    others: pd.DataFrame,
    entered: pd.DataFrame,
    frozen: Sequence[str] = (),
) -> str:
    """The page.

    Parameters
    ----------
    runs : of the learners, see `leagues.standings`.
    times : of the learners, see `leagues.speed`.
    alarms, real : of the detectors, see `leagues.detectors` and `leagues.injected`.
    others : of the learners, see `leagues.special`.
    entered : entries by file, see `repro.league.read_entries`.
    frozen : names of the folders of frozen rounds.
    """
    known = {entry.name: entry for entry in entries()}
    about = {name: (arguments(e), e.version.split()[0]) for name, e in known.items()}
    about |= {row.learner: (row.parameters, "file") for row in renamed(entered).itertuples()}
    whole = with_entries(runs, entered)
    places, on_each = standings(whole, list(STREAMS))
    intervals = place_intervals(whole, [*places.index], list(STREAMS))
    several = [name for name, s in STREAMS.items() if s.schema.n_classes > 2]
    text = TEXT.format(
        n_streams=len(STREAMS),
        versions=_versions(runs),
        timed=listed(STREAMS_TIMED),
        rounds=ROUNDS,
        budget=BUDGET,
        least=LEAST,
        level=round(100 * (1 - LEVEL)),
        draws=DRAWS,
        standings=_standings(places, intervals, per_second(times), about),
        entered=entered_part(entered),
        frozen=f"Frozen: {listed([*frozen])}." if frozen else "No round is frozen yet.",
        fields="\n".join(f"* `{name}`: {what}" for name, what in FIELDS.items()),
        told_apart=_told_apart(places),
        ranks=RANKS,
        ranks_alt=_ranks_alt(places),
        picture=PICTURE,
        alt=_alt(pairs := against_speed(places, times)),
        front=_front(pairs, places.index.intersection([*known])),
        unfinished=_unfinished(runs, places, known),
        by_stream=_by_stream(places, on_each),
        streams=_streams(runs),
        several=listed(several),
        excluded=table(("class", "why"), river_models.excluded().items(), left=2),
    )
    return text + special_part(others, runs, [*known]) + detectors_part(alarms, real)


def _versions(runs: pd.DataFrame) -> str:
    names = sorted(set(runs["version"]))
    seeds = sorted(set(runs["seed"]))
    return f"Versions: {listed(names)}. Seeds: {seeds[0]} to {seeds[-1]}." if seeds else ""


def _standings(
    places: pd.DataFrame,
    intervals: pd.DataFrame,
    speed: pd.Series,
    about: Mapping[str, tuple[str, str]],
) -> str:
    head = ("place", "learner", "with", "of", "error [%]", "excess", "± s.e.", "places", "rank")
    head += ("within 1", "worst on", "examples / s", "KiB", "seeds")
    rows = []
    for place, (name, row) in enumerate(places.iterrows(), start=1):
        given, library = about[str(name)]
        excess = POINTS * row["excess"], POINTS * row["excess ± s.e."]
        rows.append(
            [
                str(place),
                str(name),
                f"`{given}`" if given else "",
                library,
                number(POINTS * row["error"]),
                *map(number, excess),
                "{from}–{to}".format(**intervals.loc[name]),
                number(row["rank"], 1),
                str(row["within"]),
                row["worst"],
                rounded(speed.get(name, math.nan)),
                rounded(row["state_bytes"] / 1024),
                str(row["seeds"]),
            ]
        )
    return table(head, rows, left=4)


def against_speed(places: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """``speed``, ``excess`` in points and ``library`` of each learner that has both.

    Parameters
    ----------
    places : the first frame of `leagues.standings`.
    times : of the learners, as in `render`.
    """
    known = {entry.name: entry.version.split()[0] for entry in entries()}
    columns = {"speed": per_second(times), "excess": POINTS * places["excess"].astype(float)}
    table = pd.DataFrame(columns).dropna()
    return table.assign(library=[known[name] for name in table.index])


def _alt(pairs: pd.DataFrame) -> str:
    """The ends of the picture in words."""
    best = pairs.loc[front(pairs)]
    ends = (
        f"{name} {row.excess:.2f} points at {rounded(row.speed)} per second"
        for name, row in best.iloc[[0, -1]].iterrows()
    )
    head = f"Excess over the optimum against examples per second of {len(pairs)} learners"
    return f"{head}; the ends of the front: {', '.join(ends)}"


def _front(pairs: pd.DataFrame, learners: Iterable[str]) -> str:
    """Who is on the front, and which of the `learners` have no speed."""
    best = front(pairs)
    names = listed([f"{name} ({pairs.loc[name, 'excess']:.2f})" for name in best])
    untimed = [str(name) for name in learners if name not in pairs.index]
    return (
        f"None of the others is both at least as fast and at least as good as one of these "
        f"{len(best)}, from the fastest to the best (excess in points): {names}."
    ) + (f" Not timed yet: {listed(untimed)}." if untimed else "")


def _told_apart(places: pd.DataFrame) -> str:
    """How far mean ranks must be apart, and how many learners rank worse than the first."""
    least = critical_difference(len(places), len(STREAMS))
    ranks = places["rank"].astype(float)
    worse = ranks[ranks - ranks.min() > least]
    best = ranks.idxmin()
    return (
        f"By Nemenyi's test at {LEVEL:.0%}, which takes the {len(STREAMS)} streams as independent "
        f"(some share their label sequences), mean ranks of {len(places)} learners differ if they "
        f"are more than {least:.1f} apart. Learners that rank worse than {best}, the best by mean "
        f"rank: {len(worse)}."
    )


def _ranks_alt(places: pd.DataFrame) -> str:
    """The ends of the picture of ranks in words."""
    ranks = places["rank"].astype(float).sort_values(kind="stable")
    ends = (f"{ranks.index[i]} at {ranks.iloc[i]:.1f}" for i in (0, -1))
    return (
        f"Mean ranks of {len(ranks)} learners with bars of half the critical difference to both "
        f"sides, from {' to '.join(ends)}"
    )


def _unfinished(runs: pd.DataFrame, places: pd.DataFrame, known: Mapping[str, Entry]) -> str:
    """Sentences and a table on learners that have not finished a seed on every stream."""
    others = [name for name in known if name != OPTIMUM and name not in places.index]
    begun = set(runs["learner"])
    parts = []
    if waiting := [name for name in others if name not in begun]:
        parts.append(f"Not run yet: {listed(waiting)}.")
    if rows := [(name, _why(runs[runs["learner"] == name])) for name in others if name in begun]:
        parts.append("These have no place, because they have not finished on every stream:")
        parts.append(table(("learner", "why"), rows, left=2))
    return "\n\n".join(parts) or "All that take part have finished on every stream."


def _why(own: pd.DataFrame) -> str:
    """Where the runs of a learner failed, and where it has none."""
    absent = [stream for stream in STREAMS if stream not in set(own["stream"])]
    bad = own[own["failure"] != ""].groupby("failure")["stream"].unique()
    told = [f"not run yet on {listed(absent)}"] if absent else []
    told += [f"`{text}` on {listed([*names])}" for text, names in bad.items()]
    return "; ".join(told)


def _by_stream(places: pd.DataFrame, on_each: pd.DataFrame) -> str:
    others = [name for name in on_each.index if name not in places.index]
    rows = []
    for name in [*places.index, *others]:
        row = POINTS * on_each.loc[name].astype(float)
        cells = [with_error(row[s], row[f"{s} ± s.e."]) for s in STREAMS]
        rows.append([name, *cells])
    return table(("learner", *STREAMS), rows)


def _streams(runs: pd.DataFrame) -> str:
    best = runs[runs["learner"] == OPTIMUM].groupby("stream")["error"]
    mean, error, count = POINTS * best.mean(), POINTS * best.sem(), best.size()
    rows = []
    for name, stream in STREAMS.items():
        schema = stream.schema
        found = (mean.get(name, math.nan), error.get(name, math.nan))
        sizes = str(stream.n), str(len(schema.nominal)), str(schema.n_classes)
        rows.append([name, _drift(name), *sizes, with_error(*found), str(count.get(name, 0))])
    head = ("stream", "drift", "examples", "attributes", "classes", "optimum [%]", "seeds")
    return table(head, rows, left=2)


def _drift(name: str) -> str:
    """What changes, and where."""
    stream = STREAMS[name]
    if isinstance(stream, Composition):
        return f"sudden at {listed([str(at) for at in stream.at])}"
    if name == "Hyperplane":
        return f"gradual throughout: {stream.drifting} of the {stream.n_features} weights move"
    sudden = f", sudden at {listed([str(at) for at in stream.drifts])}" if stream.drifts else ""
    return f"[testbed](../notebooks/01_testbed.ipynb){sudden}"
