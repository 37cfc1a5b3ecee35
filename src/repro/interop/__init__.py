"""Models of other libraries in; learners, detectors and streams of ours out.

In: any model with river's ``predict_one`` / ``learn_one`` or scikit-learn's ``predict`` /
``partial_fit`` is accepted wherever a learner is. Out: `to_river` gives a learner, a detector or a
stream of ours river's protocol, in which examples are dictionaries; `to_sklearn` makes a learner a
classifier of scikit-learn.
"""

from repro.interop.adapter import Adapter, seeded
from repro.interop.adapting import adapt, check_learner
from repro.interop.export import to_river
from repro.interop.prediction_log import LabelDelays, PredictionLog, RowGroups
from repro.interop.reading import read_predictions
from repro.interop.refitting import refit
from repro.interop.sklearn_export import to_sklearn

__all__ = ["Adapter", "LabelDelays", "PredictionLog", "RowGroups", "adapt", "check_learner"]
__all__ += ["read_predictions", "refit", "seeded", "to_river", "to_sklearn"]
