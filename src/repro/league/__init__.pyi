# The public names, each from where it is: read by type checkers, and by `__init__` at run time.
from .check import Finding as Finding
from .check import check_entry as check_entry
from .check import verdict_of as verdict_of
from .entry import Entry as Entry
from .entry import read_entry as read_entry
from .made import predictions_of as predictions_of
from .made import write_entry as write_entry
from .made import write_predictions as write_predictions
from .streams import STREAMS as STREAMS
from .streams import write_streams as write_streams
from .table import add_entry as add_entry
from .table import read_entries as read_entries
