# The public names, each from where it is: read by type checkers, and by `__init__` at run time.
from .claims import Claim as Claim
from .claims import claim as claim
from .claims import claim_margin as claim_margin
from .claims import claims as claims
from .claims import estimated_claim as estimated_claim
from .claims import margin_within as margin_within
from .comparison import compare as compare
from .comparison import read as read
from .delays import delays_of as delays_of
from .words import NOT_EXPLAINED as NOT_EXPLAINED
