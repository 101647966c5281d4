"""Files that come to the page and leave it: uploads, collections, downloads."""
