from .file_bytes import text_beside as text_beside
from .pictures.picture_tasks import PictureText as PictureText
from .pictures.picture_tasks import ReadPicture as ReadPicture
from .reader import Reader as Reader
from .rendered_page import looked_at as looked_at
