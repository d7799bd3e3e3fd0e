import asyncio

from lfx.custom import Component
from lfx.io import FloatInput, MessageTextInput, Output
from lfx.schema.message import Message


class SlowEcho(Component):
    display_name = "Slow Echo"
    description = "Echoes a text after a short pause."
    icon = "timer"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        FloatInput(name="pause", display_name="Pause", value=0.01),
    ]
    outputs = [Output(name="echo", display_name="Echo", method="echo_text")]

    async def _words(self):
        for word in self.text.split():
            await asyncio.sleep(0)
            yield word

    async def echo_text(self) -> Message:
        await asyncio.sleep(min(self.pause, 0.05))
        words = [word async for word in self._words()]
        return Message(text=" ".join(words))
