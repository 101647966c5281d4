"""What a person can set about reading."""

from pydantic import Field

from models import Given


class ReadSettings(Given):
    """Bounds on what is read."""

    megabytes: float = Field(50.0, gt=0)
    """The largest file, and the most text of a PDF."""
    html_megabytes: float = Field(5.0, gt=0)
    """The largest HTML page; one of 5 MB takes 2 to 20 seconds."""
    unpacked_megabytes: float = Field(100.0, gt=0)
    """The largest part of a DOCX when unpacked."""
    pages: int = Field(3000, ge=1)
    """The most pages of a PDF."""
    workers: int = Field(2, ge=1, le=32)
    """Processes that read at the same time."""
    worker_megabytes: int = Field(512, ge=256)
    """Address space of each of them. The largest page takes 130, a PDF of 3,000 pages 60."""
    worker_seconds: float = Field(30.0, gt=0)
    """For one file."""
    pictures: int = Field(100, ge=0)
    """The most pictures, and pages without text, that a session has read by a model that sees."""
    figures: bool = False
    """Whether images on a PDF's pages that have text are read by a model that sees too; each counts as one of
    the pictures. What is drawn by lines alone is not."""
    follow_links: bool = False
    """Whether symbolic links in a folder of documents may lead out of it; those within are followed."""
    names_unread: bool = False
    """Whether each file of a folder whose kind is not read is named; else they are counted, and what may have
    been meant to be read is named by some."""
    own_notes: bool = False
    """Whether what this program wrote of its sessions is read in a folder of documents too: notes exported
    to a vault, and the files of a run."""
