"""One notation in all figures: α, w and κ with an index, however a table spells them."""

from __future__ import annotations

import re

__all__ = ["notation"]


def notation(text: object) -> str:
    """The text of a label as figures show it.

    >>> notation("window=1000"), notation("PH on alpha=0.9970"), notation("κ_per")
    ('w = 1000', 'PH on α = 0.997', 'κ$_{per}$')
    """
    label = re.sub(r"\bwindow=(\d+)", r"w = \1", str(text))
    label = re.sub(r"\balpha=(\d*\.\d*[1-9])0*", r"α = \1", label)
    return re.sub(r"κ_(\w+)", r"κ$_{\1}$", label)
