"""A scripted server of no known make that speaks chat completions, and tells its models."""

from tests.vendors.openai import OpenAIWire
from tests.vendors.script import Answer, Script
from tests.vendors.server import KEY, Vendor


class CompatibleWire(OpenAIWire):
    name = "openai_compatible"
    models = ("qwen3-32b", "nomic-embed-text", "llama-3.3-70b", "whisper-1")

    def environment(self, url: str) -> dict[str, str]:
        return {"OPENAI_COMPATIBLE_API_KEY": KEY, "OPENAI_COMPATIBLE_BASE_URL": url}


def scripted(*answers: Answer) -> Vendor:
    return Vendor(CompatibleWire(), Script(*answers))
