"""One owner of the files; the others reach it over a local socket."""
