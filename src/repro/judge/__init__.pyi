# The public names, each from where it is: read by type checkers, and by `__init__` at run time.
from .of_detector import detector as detector
from .of_learner import learner as learner
from .of_plan import plan as plan
from .of_predictions import predictions as predictions
from .of_stream import stream as stream
from .planned import Plan as Plan
from .report import Report as Report
from .section import Section as Section
