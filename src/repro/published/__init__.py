"""Published beside reproduced: numbers with standard errors, claims with evidence, verdicts.

The published numbers are files in ``data/published``; nothing here is typed in.
"""

from __future__ import annotations

import lazy_loader

# At first use: the command line takes the words of verdicts from here, without numpy and pandas.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
