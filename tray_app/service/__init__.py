"""One owner of the files; the others reach it over a local socket.

`connection.connect` gives the running owner or becomes one. `backend.Backend` is what either can be asked.
"""
