from .collecting import FOLDER as FOLDER
from .collecting import sync_documents as sync_documents
from .reference import CollectedReference as CollectedReference
from .reference_files import ReferenceList as ReferenceList
from .reference_files import is_reference_file as is_reference_file
from .reference_files import read_references as read_references
from .zotero import send_to_zotero as send_to_zotero
from .zotero import zotero_references as zotero_references
