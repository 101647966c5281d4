from .source_numbering import bibliography as bibliography
