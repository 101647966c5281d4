from .cut_file import damaged_database as damaged_database
from .recovery import check_store as check_store
from .recovery import free_name as free_name
from .recovery import remove_database as remove_database
from .recovery import salvage_store as salvage_store
from .store import Held as Held
from .sync import derived_name as derived_name
