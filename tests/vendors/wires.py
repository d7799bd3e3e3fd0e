"""Every wire, for tests that tell one conversation over each."""

from collections.abc import Callable, Mapping

from tests.vendors import anthropic, azure, compatible, google, groq, ollama, openai, watsonx
from tests.vendors.script import Chooser
from tests.vendors.server import Vendor, Wire

WIRES: Mapping[str, Callable[[], Wire]] = {
    "anthropic": anthropic.AnthropicWire,
    "azure_openai": azure.AzureWire,
    "google": google.GoogleWire,
    "groq": groq.GroqWire,
    "ollama": ollama.OllamaWire,
    "openai": openai.OpenAIWire,
    "openai_compatible": compatible.CompatibleWire,
    "watsonx": watsonx.WatsonxWire,
}
"""By the provider's id."""


def vendor(name: str, chooser: Chooser) -> Vendor:
    return Vendor(WIRES[name](), chooser)
