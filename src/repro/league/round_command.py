"""The commands ``python -m repro league round open | predict | next | verify``."""

from __future__ import annotations

import argparse
from typing import Any

from repro.judge import targets
from repro.league.command import add_model, card_of, model_of, tried

__all__ = ["add"]


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands to the sub-commands of a parser."""
    text = "a round whose labels are withheld until their examples are predicted"
    command = commands.add_parser("round", help=text, description=text)
    parts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")

    text = "begin a round: draw its secret, publish its hash and the first block"
    command = parts.add_parser("open", help=text, description=text)
    command.add_argument("folder", metavar="FOLDER", help="of the organiser")
    command.add_argument("--name", required=True, help="of the round, such as 2027.01")
    text = "parts of each stream, 2 to 100 (default: 20)"
    command.add_argument("--blocks", type=int, default=20, metavar="N", help=text)
    text = "number of draws of each stream (default: 3)"
    command.add_argument("--draws", type=int, default=3, metavar="N", help=text)
    command.set_defaults(command=_open)

    text = "predict the current block with a learner in Python, and write what is handed in"
    command = parts.add_parser("predict", help=text, description=text)
    command.add_argument("public", metavar="PUBLIC", help="the folder that was published")
    add_model(command)
    command.set_defaults(command=_predict)

    text = "take the predictions of the block, publish its labels and the next block"
    command = parts.add_parser("next", help=text, description=text)
    command.add_argument("folder", metavar="FOLDER", help="of the organiser")
    text = "go on without entries whose file is missing or wrong"
    command.add_argument("--leave-out", action="store_true", help=text)
    command.set_defaults(command=_next)

    text = "check that secret, streams, predictions and standings of a round fit together"
    command = parts.add_parser("verify", help=text, description=text)
    command.add_argument("public", metavar="PUBLIC", help="the folder that was published")
    command.add_argument("entries", metavar="ENTRIES", help="folder of what was handed in")
    command.set_defaults(command=_verify)


def _open(options: argparse.Namespace) -> int:
    from repro.league.rounds import open_round

    how = {"blocks": options.blocks, "draws": options.draws}
    public = tried(lambda: open_round(options.folder, options.name, **how))
    if public is None:
        return 2
    print(f"publish {public}; show nobody {public.with_name('secret.txt')}")
    return 0


def _predict(options: argparse.Namespace) -> int:
    from repro.league.rounds import predict_block

    def made() -> Any:
        target = targets.find(options.target)
        card = card_of(options, target)
        return predict_block(options.public, model_of(target), options.out, card)

    path = tried(made)
    if path is None:
        return 2
    print(f"hand in {path} with card.toml")
    return 0


def _next(options: argparse.Namespace) -> int:
    from repro.league.rounds import next_block

    taken = tried(lambda: next_block(options.folder, leave_out=options.leave_out))
    if taken is None:
        return 2
    who = "1 entry" if len(taken.entries) == 1 else f"{len(taken.entries)} entries"
    print(f"block {taken.block}: {who}; its labels are published")
    for name, why in taken.left_out.items():
        print(f"left out: {name}: {why}")
    if taken.is_over:
        print("The round is over: the secret and standings.csv are published.")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from repro.league.standings import verify_round

    standings = tried(lambda: verify_round(options.public, options.entries))
    if standings is None:
        return 2
    for name, findings in standings.refused.items():
        print(f"refused: {name}: {'; '.join(map(str, findings))}")
    means = standings.table.groupby("entry")[["error", "optimum"]].mean()
    for name, row in means.sort_values("error").iterrows():
        print(f"{name}: error {100 * row['error']:.2f} %, optimum {100 * row['optimum']:.2f} %")
    print("All fits together.")
    return 0
