"""From a bare interpreter to a zygote that serves: import, warm up, prove the boundary, say so."""

import os
import socket
from contextlib import suppress
from dataclasses import replace

from flowassist.zygote import confine, frames, trials
from flowassist.zygote import serve as serving
from flowassist.zygote.confine import Confinement
from flowassist.zygote.library import VERSION
from flowassist.zygote.trials import Unfit


def serve(line: socket.socket, root: str, *, unconfined: bool) -> None:
    """Raises nothing for what the server should know: that goes over `line`."""
    try:
        confinement, before, confined = _ready(root, unconfined=unconfined)
    except (Unfit, OSError) as error:
        with suppress(OSError):
            line.sendall(frames.pack({"unfit": str(error)}))
        return
    zygote = serving.Zygote(line, confinement, root, before)
    zygote.tell({"ready": _facts(confinement, confined=confined)})
    zygote.serve()


def _ready(root: str, *, unconfined: bool) -> tuple[Confinement, int, bool]:
    """What children get, lines that lfx puts before code, and whether the boundary is whole."""
    confinement = confine.available()
    os.chmod(root, 0o711)  # noqa: S103, PTH101 - children of other uids pass through to their own folders
    before = trials.lines_before()
    trials.warm_up(before)
    try:
        trials.prove(confinement, root, before)
    except Unfit:
        if not unconfined:
            raise
        confinement = replace(confinement, landlock=0, filter=b"")
        trials.prove_works(confinement, root, before)
        return confinement, before, False
    return confinement, before, True


def _facts(confinement: Confinement, *, confined: bool) -> dict[str, object]:
    return {
        "confined": confined,
        "landlock": confinement.landlock,
        "uid": confinement.identity.uid(0),
        "lfx": VERSION,
        "memory": serving.memory_bytes(),
    }
