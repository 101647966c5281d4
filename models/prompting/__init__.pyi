from .batching import PIECE as PIECE
from .batching import JointTask as JointTask
from .batching import joint as joint
from .partial_json import partial_text as partial_text
from .partial_json import watched as watched
from .prompts import data_block as data_block
from .prompts import inputs_hash as inputs_hash
from .untrusted_text import escape as escape
