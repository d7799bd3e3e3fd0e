import asyncio
import hashlib

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data


class ManyHashes(Component):
    display_name = "Many Hashes"
    description = "Digests of a text, computed side by side."
    icon = "hash"

    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="digests", display_name="Digests", method="digest_all")]

    async def digest_all(self) -> Data:
        names = ("md5", "sha1", "sha256", "blake2b")
        digests = await asyncio.gather(*(asyncio.to_thread(self._digest, name) for name in names))
        return Data(data=dict(zip(names, digests, strict=True)))

    def _digest(self, name: str) -> str:
        return hashlib.new(name, self.text.encode("utf-8")).hexdigest()
