"""The book to take along, made from its built pages: a zip, a PDF, an EPUB, and slides."""
