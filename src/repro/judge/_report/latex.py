"""Tables of a report in LaTeX, with the rules of booktabs."""

from __future__ import annotations

import re
import unicodedata

from repro.judge._report.cells import Column, columns_of
from repro.judge.section import Section

__all__ = ["PACKAGES", "escaped", "table"]

PACKAGES = "% needs \\usepackage{adjustbox, array, booktabs}\n"
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
LINE = 0.95  # of the text's width, shared by the columns


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
    """The table of `part` as a float with a `caption`; it is called ``tab:<name>``."""
    if part.table is None:
        return ""
    columns = columns_of(part.table)
    head = " & ".join(escaped(column.name) for column in columns)
    rows = zip(*([_cell(cell) for cell in column.cells] for column in columns), strict=True)
    size = ["\\footnotesize"] if len(columns) > WIDE else []
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{escaped(caption)}}}",
        f"\\label{{tab:{part.name}}}",
        *size,
        "\\begin{adjustbox}{max width=\\linewidth}",
        f"\\begin{{tabular}}{{@{{}}{''.join(_kinds(columns))}@{{}}}}",
        "\\toprule",
        f"{head} \\\\",
        "\\midrule",
        *(f"{' & '.join(row)} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{adjustbox}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _kinds(columns: list[Column]) -> list[str]:
    """How each column is set: numbers to the right, long texts as paragraphs."""
    longest = [max([len(c.name), *map(len, c.cells)]) for c in columns]
    long = [n for n, c in zip(longest, columns, strict=True) if n > NARROW and not c.is_number]
    left = LINE - sum(0.009 * n + 0.02 for n in longest if n <= NARROW)
    kinds = []
    for n, column in zip(longest, columns, strict=True):
        if column.is_number:
            kinds.append("r")
        elif n <= NARROW:
            kinds.append("l")
        else:
            width = max(left, 0.3) * n / sum(long)
            kinds.append(f">{{\\raggedright\\arraybackslash}}p{{{width:.2f}\\linewidth}}")
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
