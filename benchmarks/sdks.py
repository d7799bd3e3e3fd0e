"""What a user would write with a vendor's SDK to read an answer's text: the bare loop that adapters are measured by.

Each client is made as its SDK's documents make it, with its own HTTP client, and without retries.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from anthropic import AsyncAnthropic
from openai import AsyncAzureOpenAI, AsyncOpenAI

from flowassist.models.providers.azure import API_VERSION
from tests.vendors.server import KEY

MODEL, TEXT, LIMIT = "a-model", "tell me about flows", 2000

Pieces = Callable[[], AsyncIterator[str]]
Environment = Mapping[str, str]
"""What leads to a vendor, and its `url`."""

Sdk = Callable[[Environment], AbstractAsyncContextManager[Pieces]]
"""A way to ask one question and get the answer's pieces, for as long as its client is open."""


@asynccontextmanager
async def openai(environment: Environment) -> AsyncIterator[Pieces]:
    async with AsyncOpenAI(api_key=KEY, base_url=environment["url"], max_retries=0) as client:
        yield lambda: _chat(client)


@asynccontextmanager
async def azure(environment: Environment) -> AsyncIterator[Pieces]:
    url = environment["url"]
    async with AsyncAzureOpenAI(api_key=KEY, azure_endpoint=url, api_version=API_VERSION, max_retries=0) as client:
        yield lambda: _chat(client)


async def _chat(client: AsyncOpenAI) -> AsyncIterator[str]:
    stream = await client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": TEXT}], max_tokens=LIMIT, stream=True
    )
    async for chunk in stream:
        delta = chunk.choices[0].delta if chunk.choices else None  # Azure also sends choices without one
        if delta and delta.content:
            yield delta.content


@asynccontextmanager
async def responses(environment: Environment) -> AsyncIterator[Pieces]:
    async def pieces() -> AsyncIterator[str]:
        stream = await client.responses.create(model=MODEL, input=TEXT, max_output_tokens=LIMIT, stream=True)
        async for event in stream:
            if event.type == "response.output_text.delta":
                yield event.delta

    async with AsyncOpenAI(api_key=KEY, base_url=environment["url"], max_retries=0) as client:
        yield pieces


@asynccontextmanager
async def anthropic(environment: Environment) -> AsyncIterator[Pieces]:
    async def pieces() -> AsyncIterator[str]:
        stream = await client.messages.create(
            model=MODEL, messages=[{"role": "user", "content": TEXT}], max_tokens=LIMIT, stream=True
        )
        async for event in stream:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                yield event.delta.text

    async with AsyncAnthropic(api_key=KEY, base_url=environment["url"], max_retries=0) as client:
        yield pieces


@asynccontextmanager
async def ollama(environment: Environment) -> AsyncIterator[Pieces]:
    from ollama import AsyncClient  # noqa: PLC0415 - an optional package

    async def pieces() -> AsyncIterator[str]:
        async for line in await client.chat(model=MODEL, messages=[{"role": "user", "content": TEXT}], stream=True):
            if text := line.message.content:
                yield text

    async with AsyncClient(host=environment["url"]) as client:
        yield pieces


@asynccontextmanager
async def watsonx(environment: Environment) -> AsyncIterator[Pieces]:
    from ibm_watsonx_ai import APIClient, Credentials  # noqa: PLC0415 - an optional package
    from ibm_watsonx_ai.foundation_models import ModelInference  # noqa: PLC0415

    async def pieces() -> AsyncIterator[str]:
        stream = await model.achat_stream(messages=[{"role": "user", "content": TEXT}], params={"max_tokens": LIMIT})
        async for chunk in stream:
            if chunk["choices"] and (text := chunk["choices"][0]["delta"].get("content")):
                yield text

    url, tokens = environment["url"], environment["WATSONX_AUTH_URL"]
    trusted = environment["WX_CLIENT_VERIFY_REQUESTS"]
    client = APIClient(Credentials(url=url, platform_url=url, auth_url=tokens, api_key=KEY, verify=trusted))
    client.default_project_id = environment["WATSONX_PROJECT_ID"]
    model = ModelInference(model_id=MODEL, api_client=client, validate=False, max_retries=0)
    yield pieces
    await client.async_httpx_client.aclose()


BARE: Mapping[str, Sdk] = {
    "openai": openai,
    "openai_responses": responses,
    "anthropic": anthropic,
    "google": openai,
    "groq": openai,
    "azure_openai": azure,
    "openai_compatible": openai,
    "ollama": ollama,
    "watsonx": watsonx,
}
"""By wire. Google and Groq are spoken to over OpenAI's SDK, by adapter and loop alike."""
