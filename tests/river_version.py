"""Tests of what river itself does hold from 0.25 on; the library takes older ones."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from packaging.version import Version

IS_OLD = Version(version("river")) < Version("0.25")
since_25 = pytest.mark.skipif(IS_OLD, reason="river changed this in 0.25")
