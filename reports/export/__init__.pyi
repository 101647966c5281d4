from .markdown import escape as escape
