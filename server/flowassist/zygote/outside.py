"""Whether code tried the network. The interpreter tells, so that a swallowed error hides nothing."""

import socket
import sys
from functools import cache

_FAMILIES = {socket.AF_INET, socket.AF_INET6}
_LOOK_UPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.connect"}


class Outside:
    """Use `watched`: there is no way to take an audit hook off again, so there is one for each process."""

    def __init__(self) -> None:
        self._tried = False
        sys.addaudithook(self._hear)

    def was_tried(self) -> bool:
        """Since it was asked last."""
        tried, self._tried = self._tried, False
        return tried

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _LOOK_UPS or (event == "socket.__new__" and arguments[1] in _FAMILIES):
            self._tried = True


@cache
def watched() -> Outside:
    return Outside()
