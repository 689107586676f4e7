"""What can go wrong with a database."""


class ConflictError(Exception):
    """An event of that number or command is there already: another server was faster."""


class StorageError(Exception):
    """The database can't take events now."""


class LeaseOverError(StorageError):
    """This process has not been heard of for too long: what it wanted to write was refused."""


class FencedError(StorageError):
    """A table is not this process's any more: what it wanted to write was refused."""


class ElsewhereError(StorageError):
    """A table belongs to another process, or did in this moment."""

    def __init__(self, owner: str | None) -> None:
        super().__init__(f"owned by {owner}")
        self.owner = owner
