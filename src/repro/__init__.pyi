# The public names, each from where it is: read by type checkers, and by `__init__` at run time.
from . import course as course
from . import data_sets as data_sets
from . import detectors as detectors
from . import explore as explore
from . import figures as figures
from . import interop as interop
from . import judge as judge
from . import league as league
from . import learners as learners
from . import metrics as metrics
from . import networks as networks
from . import papers as papers
from . import permutations as permutations
from . import published as published
from . import results as results
from . import scenarios as scenarios
from . import statistics as statistics
from . import streams as streams
from . import tables as tables
from .evaluation import Holdout as Holdout
from .evaluation import Run as Run
from .evaluation import ScenarioKey as ScenarioKey
from .evaluation import ScenarioRun as ScenarioRun
from .evaluation import evaluate_scenario as evaluate_scenario
from .evaluation import evaluate_scenarios as evaluate_scenarios
from .evaluation import holdout as holdout
from .evaluation import prequential as prequential
from .evaluation import repeated_errors as repeated_errors
from .evaluation import sweep as sweep
from .runner.run import run_notebook as run_notebook
from .streams import TESTBED as TESTBED
from .streams import Stream as Stream

__version__: str
