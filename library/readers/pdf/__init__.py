"""PDF files to text: words where they stand, tables, pages."""
