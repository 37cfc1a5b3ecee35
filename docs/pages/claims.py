"""The page of the ledger: every testable sentence with its evidence, its verdict and its places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from pages.markup import badge, links, table, with_links
from pages.places import Place
from pages.verdicts import Claim, Notebook
from repro.published.words import DOES_NOT_HOLD

__all__ = ["claims_page", "places_of_claim"]

TEXT = """\
# Claims

Every sentence of the papers that can be tested, quoted, with the evidence and the verdict. *Judged
here* leads to the cell of the notebook that computes the evidence. Where a claim does not hold, the
cause leads to the section that shows it. [What the counts say](docs/verdicts.md) has the rules.

"""
COLUMNS = {
    "Paper": 'data-filter="paper"',
    "Section": "",
    "Sentence": 'class="wide"',
    "Verdict": 'data-filter="verdict"',
    "Evidence": "",
    "Cause": "",
    "Place": 'data-filter="notebook" data-by="page"',
}


def claims_page(notebooks: Sequence[Notebook]) -> str:
    """The page as Markdown."""
    return TEXT + table("table-of-claims", COLUMNS, [row for n in notebooks for row in _rows(n)])


def places_of_claim(notebook: Notebook, claim: Claim) -> list[Place]:
    """Where the notebook says why a claim does not hold: what its reason names, or all claims."""
    if claim.row["verdict"] != DOES_NOT_HOLD:
        return []
    known = notebook.places
    general = known.not_holding or known.section("The claims") or known.section("Published")
    return known.named(claim.row.get("reason", "")) or ([general] if general else [])


def _rows(notebook: Notebook) -> Iterator[tuple[str, list[str]]]:
    judged = notebook.places.judging(claim.key for claim in notebook.claims)
    for claim in notebook.claims:
        row, several = claim.row, claim.row.get("permutations", "")
        note = f" <small>({several} permutations)</small>" if several else ""
        cause = escape(row.get("reason", ""))
        shown = with_links(cause, places_of_claim(notebook, claim))
        where = links([judged[claim.key]]) if claim.key in judged else ""
        yield (
            f"{notebook.path.name[:2]}-{claim.key}" + f"-{several}" * bool(several),
            [
                f"<td>{'our own question' if claim.is_own else escape(row['paper'])}</td>",
                f"<td>{escape(row['section'])}</td>",
                f'<td class="wide">{escape(row["sentence"])}{note}</td>',
                f"<td>{badge(row['verdict'])}</td>",
                f"<td>{escape(row['evidence'])}</td>",
                f'<td data-cause="{cause}">{shown}</td>',
                f'<td data-page="{escape(notebook.name)}">{escape(notebook.name)}: {where}</td>',
            ],
        )
