"""Tables of a report in LaTeX, with the rules of booktabs."""

from __future__ import annotations

import re
import unicodedata

from repro.judge._report.cells import Column, columns_of
from repro.judge.section import Section

__all__ = ["PACKAGES", "escaped", "table"]

PACKAGES = "% needs \\usepackage{adjustbox, array, booktabs, longtable}\n"
SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"}, "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "–": "--", "—": "---", "…": r"\dots{}",
    "±": r"$\pm$", "×": r"$\times$", "−": "$-$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$",
    "≈": r"$\approx$", "∞": r"$\infty$", "→": r"$\to$", "·": r"$\cdot$", "√": r"$\surd$",
    "°": r"$^\circ$", "µ": r"$\mu$", "✓": "yes", "✗": "no", "⁺": "$^{+}$", "⁻": "$^{-}$",
}  # fmt: skip
# Greek letters that LaTeX has commands for: not those that look like Latin ones.
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
NARROW = 24  # characters; a longer text is set in lines of its own
WIDE = 6  # columns; a table with more is set in small type
LINE, GAP, WIDTH = 0.99, 0.035, 0.0125  # parts of the width: of all columns, between two, a letter


def escaped(text: str) -> str:
    r"""`text` with what LaTeX would take for a command, and Greek, signs and indices as formulas.

    >>> escaped("50 % of <κ_per> ± α")
    '50 \\% of \\textless{}$\\kappa$\\_per\\textgreater{} $\\pm$ $\\alpha$'
    """
    return "".join(SPECIAL.get(sign) or _formula(sign) for sign in text)


def _formula(sign: str) -> str:
    """Greek letters, superscripts and subscripts as formulas, other signs as they are."""
    if sign.isascii():
        return sign
    name = unicodedata.name(sign, "")
    if match := re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)", name):
        letter = re.sub("^lam(?=da)", "lamb", match[2].lower())  # as Unicode writes it
        if match[1] == "CAPITAL":
            letter = letter.capitalize()
        return f"$\\{letter}$" if re.search(rf"\b{letter}\b", GREEK) else sign
    if match := re.fullmatch(r"(SUPERSCRIPT|SUBSCRIPT) .+", name):
        mark = "^" if match[1] == "SUPERSCRIPT" else "_"
        return f"${mark}{{{unicodedata.normalize('NFKD', sign)}}}$"
    return sign


def table(part: Section, caption: str) -> str:
    """The table of `part` with a `caption`; it is called ``tab:<name>``.

    Long texts are set in paragraphs, in small type; a table of texts may break over pages. Any
    other is a float that is made smaller where it would be wider or taller than the page.
    """
    if part.table is None:
        return ""
    columns = columns_of(part.table)
    head = " & ".join(escaped(column.name) for column in columns)
    rows = zip(*([_cell(cell) for cell in column.cells] for column in columns), strict=True)
    body = [f"{' & '.join(row)} \\\\" for row in rows]
    title = f"\\caption{{{escaped(caption)}}}", f"\\label{{tab:{part.name}}}"
    kinds = f"@{{}}{''.join(_kinds(columns))}@{{}}"
    rules = "\\toprule", f"{head} \\\\", "\\midrule"
    if "p{" in kinds and not any(column.is_number for column in columns):
        lines = [
            f"{{\\footnotesize\n\\begin{{longtable}}{{{kinds}}}",
            f"{''.join(title)} \\\\",
            *(*rules, "\\endhead", "\\bottomrule", "\\endlastfoot"),
            *(*body, "\\end{longtable}\n}"),
        ]
    else:
        size = ["\\footnotesize"] if len(columns) > WIDE else []
        lines = [
            *("\\begin{table}", "\\centering", *title, *size),
            "\\begin{adjustbox}{max width=\\linewidth, max totalheight=0.85\\textheight}",
            f"\\begin{{tabular}}{{{kinds}}}",
            *(*rules, *body, "\\bottomrule"),
            *("\\end{tabular}", "\\end{adjustbox}", "\\end{table}"),
        ]
    return "\n".join(lines) + "\n"


def _kinds(columns: list[Column]) -> list[str]:
    """How each column is set: numbers to the right, long texts as paragraphs.

    These share the width by the roots of their mean lengths, which keeps the rows low.
    """
    longest = [max([len(c.name), *map(len, c.cells)]) for c in columns]
    is_long = [n > NARROW and not c.is_number for n, c in zip(longest, columns, strict=True)]
    short = [n for n, wide in zip(longest, is_long, strict=True) if not wide]
    left = LINE - GAP * (len(columns) - 1) - sum(WIDTH * n for n in short)
    roots = [(sum(map(len, c.cells)) / max(1, len(c.cells))) ** 0.5 for c in columns]
    whole = sum(root for root, wide in zip(roots, is_long, strict=True) if wide)
    kinds = []
    for column, root, wide in zip(columns, roots, is_long, strict=True):
        width = max(left, 0.3) * root / whole if wide else 0.0
        paragraph = f">{{\\raggedright\\arraybackslash}}p{{{width:.2f}\\linewidth}}"
        kinds.append(paragraph if wide else "r" if column.is_number else "l")
    return kinds


def _cell(text: str) -> str:
    """A number with its standard error as one formula, other texts escaped."""
    number = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
    if match := re.fullmatch(rf"({number}) ± ({number})", text):
        return f"${_power(match[1])} \\pm {_power(match[2])}$"
    return f"${_power(text)}$" if re.fullmatch(number, text) else escaped(text)


def _power(number: str) -> str:
    digits, _, power = number.partition("e")
    return f"{digits} \\times 10^{{{int(power)}}}" if power else digits
