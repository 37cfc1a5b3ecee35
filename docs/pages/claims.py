"""The page of the ledger: every testable sentence with its evidence, its verdict and its places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pages.markup import badge, links, table
from pages.places import Place
from pages.verdicts import Claim, Notebook
from repro.published.words import DOES_NOT_HOLD

__all__ = ["claims_page", "places_of_claim"]

TEXT = """\
# Claims

Every sentence of the papers that can be tested, quoted, with the evidence and the verdict. *Judged
here* leads to the cell of the notebook that computes the evidence, and where a claim does not hold,
*why* to the cause. [What the counts say](docs/verdicts.md) has the rules.

"""
COLUMNS = {
    "Paper": 'data-filter="paper"',
    "Section": "",
    "Sentence": 'class="wide"',
    "Verdict": 'data-filter="verdict"',
    "Evidence": "",
    "Place": 'data-filter="notebook" data-by="page"',
}


def claims_page(notebooks: Sequence[Notebook]) -> str:
    """The page as Markdown."""
    return TEXT + table("claims", COLUMNS, [row for n in notebooks for row in _rows(n)])


def places_of_claim(notebook: Notebook, claim: Claim, judged: Place | None) -> list[Place]:
    """Where a claim is judged and, if it does not hold, where the notebook says why."""
    places = [judged] if judged else []
    if claim.row["verdict"] == DOES_NOT_HOLD:
        why = notebook.places.why(claim.key)
        places += [why] if why else []
    return places


def _rows(notebook: Notebook) -> Iterator[tuple[str, list[str]]]:
    judged = notebook.places.judging(claim.key for claim in notebook.claims)
    seen: set[str] = set()
    for claim in notebook.claims:
        row, several = claim.row, claim.row.get("permutations", "")
        anchor = f"{notebook.path.name[:2]}-{claim.key}" + f"-{several}" * bool(several)
        places = places_of_claim(notebook, claim, judged.get(claim.key))
        note = f" <small>({several} permutations)</small>" if several else ""
        assert anchor not in seen
        seen.add(anchor)
        yield (
            anchor,
            [
                f"<td>{'our own question' if claim.is_own else escape(row['paper'])}</td>",
                f"<td>{escape(row['section'])}</td>",
                f'<td class="wide">{escape(row["sentence"])}{note}</td>',
                f"<td>{badge(row['verdict'])}</td>",
                f'<td class="evidence">{escape(row["evidence"])}</td>',
                f'<td data-page="{escape(notebook.name)}">{escape(notebook.name)}: '
                f"{links(places)}</td>",
            ],
        )
