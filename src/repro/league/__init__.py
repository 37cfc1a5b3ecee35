"""The league of learners: its streams, entries as files of predictions, and what is wrong in one.

``league.write_streams("streams")`` writes the streams, ``league.check_entry("mine")`` says what is
wrong with the predictions in the folder ``mine``, and ``league.add_entry("mine", "entries.csv")``
puts them into a table. ``league.write_entry`` makes the entry of a learner in Python.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
