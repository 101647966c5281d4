from .reference import CollectedReference as CollectedReference
from .reference import describe as describe
from .reference import lay_out as lay_out
from .reference_files import is_reference_file as is_reference_file
from .reference_files import read_references as read_references
from .zotero import send_to_zotero as send_to_zotero
from .zotero import zotero_references as zotero_references
