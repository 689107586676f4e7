"""Tables online: decide, append the event, commit, show each seat what it may see.

Events are the truth; a table is its events, replayed. From below: `domain` (pure), `storage`,
`wire` (what is sent), `ops`, `runtime` (tables that are awake), `transport` and its `routes`; `app`
puts them together.
"""
