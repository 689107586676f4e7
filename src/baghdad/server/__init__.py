"""Tables online: validate, append the event, commit, show each seat what it may see.

Engine (`rules`), authority (`table`, `commands`, `hall`), storage (`storage`) and transport
(`routes`, `socket`) are four places. Events are the truth; a table is its events, replayed.
"""
