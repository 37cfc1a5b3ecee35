# The public names, each from where it is: read by type checkers, and by `__init__` at run time.
from . import drift_detection as drift_detection
from . import estimators as estimators
from . import permutations as permutations
from . import scenarios as scenarios
from . import temporal_dependence as temporal_dependence
from . import testbed as testbed
