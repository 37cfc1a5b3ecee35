"""Enter MOA's learners, at MOA's defaults, into the league: ``python benchmarks/moa_entries.py``.

It writes an entry for each into a folder: the streams of the league go through MOA's own loop of
testing and training, in the environment of the benchmarks (Java 17 or newer). An entry that is
there with all seeds stays, so a second call goes on. Then

    python -m repro league check build/entries/NAME
    python -m repro league add build/entries/NAME --table data/results/league_entries.csv
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import with_moa
from tqdm import tqdm

from repro import league
from repro.league.streams import draw

#: name in the table -> class of MOA, below moa.classifiers, at its defaults
LEARNERS = {
    "MOA NaiveBayes": "bayes.NaiveBayes",
    "MOA HoeffdingTree": "trees.HoeffdingTree",
    "MOA HoeffdingAdaptiveTree": "trees.HoeffdingAdaptiveTree",
    "MOA HoeffdingOptionTree": "trees.HoeffdingOptionTree",
    "MOA EFDT": "trees.EFDT",
    "MOA kNN": "lazy.kNN",
    "MOA SAMkNN": "lazy.SAMkNN",
    "MOA OzaBag": "meta.OzaBag",
    "MOA OzaBagAdwin": "meta.OzaBagAdwin",
    "MOA OzaBoost": "meta.OzaBoost",
    "MOA LeveragingBag": "meta.LeveragingBag",
    "MOA DynamicWeightedMajority": "meta.DynamicWeightedMajority",
    "MOA AdaptiveRandomForest": "meta.AdaptiveRandomForest",
    "MOA StreamingRandomPatches": "meta.StreamingRandomPatches",
}
CODE = "https://github.com/Waikato/moa"
FOLDER = Path(__file__).resolve().parents[1] / "build" / "entries"


def main() -> int:
    """Write the entries that are missing; 1 if MOA cannot be started."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--seeds", type=int, default=5, help="draws of each stream")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the entries")
    parser.add_argument("--capymoa", metavar="PYTHON", help="a Python with CapyMOA")
    parser.add_argument("--learners", nargs="+", default=[*LEARNERS], help="names, by default all")
    options = parser.parse_args()
    moa = with_moa.start(options.capymoa)
    if moa is None:
        return 1
    for name in options.learners:
        enter(moa, name, options.out / name.replace(" ", "-"), options.seeds)
    moa.close()
    return 0


def enter(moa: with_moa.Moa, name: str, folder: Path, n_seeds: int) -> None:
    """Write the entry of the learner `name`, unless it is there."""
    seeds = range(n_seeds)
    if folder.is_dir() and league.read_entry(folder).seeds == [*seeds]:
        return
    draws = [(stream, seed) for seed in seeds for stream in league.STREAMS]
    labels = {
        key: np.array(moa.labels("{}-{}".format(*key), draw(*key), LEARNERS[name]))
        for key in tqdm(draws, desc=name, unit="draw")
    }
    card = {"learner": name, "by": "the authors of repro", "code": CODE}
    card["library"] = f"MOA in CapyMOA {moa.versions['capymoa']}"
    card["hardware"] = f"Java {moa.versions['java']}"
    league.write_predictions(folder, labels, card)


if __name__ == "__main__":
    sys.exit(main())
