"""Every wire, for tests that tell one conversation over each."""

from collections.abc import Callable, Mapping

from tests.vendors import anthropic, openai
from tests.vendors.script import Chooser
from tests.vendors.server import Vendor, Wire

WIRES: Mapping[str, Callable[[], Wire]] = {"openai": openai.OpenAIWire, "anthropic": anthropic.AnthropicWire}
"""By the provider's id."""


def vendor(name: str, chooser: Chooser) -> Vendor:
    return Vendor(WIRES[name](), chooser)
