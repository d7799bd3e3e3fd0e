"""IBM's SDK client for one access, on an HTTP client of our own.

The SDK knows the regions, where their tokens come from, and the headers. Its own HTTP clients would repeat a failed
request up to ten times, whatever Retry-After says, and send a dead token again and again; its stream reader ends lines
at U+2028. So what is sent here is sent once, and read as bytes. The client is of httpx2, whose names are those of the
httpx that the SDK expects: httpx 0.28 leaves connections open when a call is cancelled while they are made.
"""

import json
import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from flowassist.models.model import ModelError, Trouble, Usage
from flowassist.models.providers.connections import bounds
from flowassist.models.providers.connections.endpoint import Endpoint
from flowassist.models.providers.connections.handshake import watched
from flowassist.models.providers.connections.hush import hushed
from flowassist.models.providers.failures import bodies, faults
from flowassist.models.providers.failures.fault import Fault
from flowassist.secret import Hides, Secret, Secrets

if TYPE_CHECKING:
    import httpx2
    from ibm_watsonx_ai import APIClient
    from ibm_watsonx_ai.utils.auth.base_auth import BaseAuth

CHAT, SPECS = "/ml/v1/text/chat_stream", "/ml/v1/foundation_model_specs"
CONTAINERS = {"project_id": "WATSONX_PROJECT_ID", "space_id": "WATSONX_SPACE_ID"}
AUTH_URL = "WATSONX_AUTH_URL"
VERIFY = "WX_CLIENT_VERIFY_REQUESTS"
NOT_YET = "not.a.token"


class Refusal(Exception):
    """A response that is no success."""

    def __init__(self, status: int, text: str, headers: Mapping[str, str]) -> None:
        super().__init__(f"status {status}")
        self.status, self.text, self.headers = status, text, headers

    def fault(self) -> Fault:
        return faults.fault_in(bodies.decoded(self.text), self.status, self.text, self.headers)


class Unasked(Exception):
    """There is no stream, for the reason of `error`."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


class Tokens:
    """Access tokens, as IBM's SDK gets and keeps them: renewed a quarter of an hour before they end."""

    def __init__(self, api: "APIClient", key: Hides) -> None:
        from ibm_watsonx_ai.utils.auth import get_auth_method  # noqa: PLC0415

        api.credentials.token = None
        self._key, self._fetched = key, 0
        self._auth: BaseAuth = get_auth_method(api, on_token_creation=self._count, on_token_refresh=self._count)

    def _count(self) -> None:
        self._fetched += 1

    async def current(self) -> tuple[str, bool]:
        """A token, and whether it was fetched just now. Raises Unasked, or what the HTTP client raises."""
        from ibm_watsonx_ai.wml_client_error import WMLClientError  # noqa: PLC0415

        before = self._fetched
        try:
            token = await self._auth.aget_token()
        except Refusal as refusal:
            raise Unasked(self._refused(refusal)) from None
        except (WMLClientError, ValueError, LookupError, AttributeError, TypeError, OverflowError):
            self._auth.set_token("")
            raise Unasked(ModelError(Trouble.BROKEN_OFF, "the token service gave no token", usage=Usage())) from None
        return token, self._fetched != before

    def _refused(self, refusal: Refusal) -> ModelError:
        """The token service answers 400 to a key that it does not know."""
        error = refusal.fault().error(self._key, Usage())
        if refusal.status in {400, 401, 403}:
            error.trouble = Trouble.AUTHENTICATION
        return error

    async def instead_of(self, dead: str) -> str:
        """Another token than `dead`, which the service refused before its time was over."""
        token, _ = await self.current()
        if token == dead:
            self._auth.set_token("")
            token, _ = await self.current()
        return token


class Service:
    """Sends requests to the service, each one once."""

    def __init__(self, place: Endpoint["Service"]) -> None:
        """Imports the SDK, and asks nothing of the network. Blocks for up to half a second. Raises ModelError."""
        self._scope = scope_of(place.access.more)
        self.hidden = Secrets(place.key)
        self._http = _http(place)
        self._api = _api(place, self._http)
        self._tokens = Tokens(self._api, self.hidden)

    async def close(self) -> None:
        await self._http.aclose()

    def chat(self, body: Mapping[str, Any]) -> AbstractAsyncContextManager["httpx2.Response"]:
        """The stream of an answer, not read yet. Raises Unasked."""
        return self._opened(partial(self._known, "POST", CHAT, body={**body, **self._scope}))

    async def specs(self, query: Mapping[str, str]) -> Mapping[str, Any]:
        """A page of the list of models. Raises Unasked."""
        async with self._opened(partial(self._anybody, SPECS, query)) as response:
            with self._translated():
                body = bodies.decoded((await response.aread()).decode(errors="replace"))
        if not isinstance(body, Mapping):
            raise Unasked(ModelError(Trouble.UNREACHABLE, "no list of models at this address"))
        return body

    @asynccontextmanager
    async def _opened(self, answer: Callable[[], Awaitable["httpx2.Response"]]) -> AsyncIterator["httpx2.Response"]:
        async with AsyncExitStack() as stack:
            with self._translated():
                response = await answer()
            stack.push_async_callback(response.aclose)
            yield response

    async def _known(self, method: str, path: str, **more: Any) -> "httpx2.Response":
        """With a token. A 401 to one that was kept means that it died: one more request follows."""
        token, is_new = await self._tokens.current()
        try:
            return await self._send(token, method, path, **more)
        except Refusal as refusal:
            if refusal.status != 401 or is_new:
                raise
        return await self._send(await self._tokens.instead_of(token), method, path, **more)

    async def _anybody(self, path: str, query: Mapping[str, str]) -> "httpx2.Response":
        """Without a token, which costs no token request; IBM Cloud shows its models to anybody, others may not."""
        try:
            return await self._send("", "GET", path, params=query)
        except Refusal as refusal:
            if refusal.status not in {401, 403}:
                raise
        return await self._known("GET", path, params=query)

    async def _send(
        self, token: str, method: str, path: str, params: Mapping[str, str] | None = None, body: object = None
    ) -> "httpx2.Response":
        content = None if body is None else json.dumps(body)
        request = self._http.build_request(
            method,
            f"{self._api.credentials.url}{path}",
            params={"version": self._api.version_param, **(params or {})},
            headers=self._headers(token, content and "application/json"),
            content=content,
        )
        self.hidden.add(Secret(token))
        return await self._http.send(request, stream=True)

    def _headers(self, token: str, content_type: str | None) -> dict[str, str]:
        self._api.set_token(token)
        headers: dict[str, str] = self._api.get_headers(content_type, include_user_agent=True)
        return headers if token else {name: value for name, value in headers.items() if name != "Authorization"}

    @contextmanager
    def _translated(self) -> Iterator[None]:
        import httpx2  # noqa: PLC0415

        try:
            yield
        except Refusal as refusal:
            raise Unasked(refusal.fault().error(self.hidden, Usage())) from None
        except httpx2.HTTPError as error:
            raise Unasked(faults.unsent(error, self.hidden)) from None


def scope_of(more: Mapping[str, str]) -> dict[str, str]:
    """The field of a request that says who pays: a project's id, or else a space's. Raises ModelError."""
    for field, variable in CONTAINERS.items():
        if value := more.get(variable, "").strip():
            return {field: value}
    raise unusable(f"{' or '.join(CONTAINERS.values())} is not set")


def unusable(text: str) -> ModelError:
    return ModelError(Trouble.BAD_REQUEST, text, said=text, usage=Usage())


def _http(place: Endpoint[Service]) -> "httpx2.AsyncClient":
    import httpx2  # noqa: PLC0415

    return httpx2.AsyncClient(
        verify=_trusted(os.environ.get(VERIFY, "")),
        timeout=httpx2.Timeout(None, connect=place.patience.connect),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
        trust_env=not place.is_local,
        event_hooks={"request": [watched, bounds.plainly], "response": [bounds.bounded, _refuse]},
    )


async def _refuse(response: "httpx2.Response") -> None:
    if not response.is_success:
        await response.aread()
        raise Refusal(response.status_code, response.text, response.headers)


def _trusted(authority: str) -> ssl.SSLContext:
    """The usual authorities, and those of the file that IBM's variable names. It cannot switch verification off."""
    import httpx2  # noqa: PLC0415

    context = httpx2.create_ssl_context()
    if authority.strip().lower() not in {"", "true", "false"}:
        try:
            context.load_verify_locations(authority.strip())
        except OSError:
            raise unusable(f"{VERIFY} names no file of certificates") from None
    return context


def _api(place: Endpoint[Service], http: Any) -> "APIClient":
    """With a token in its credentials the SDK builds its client without the network."""
    import httpx2  # noqa: PLC0415
    from ibm_watsonx_ai import APIClient, Credentials  # noqa: PLC0415
    from ibm_watsonx_ai.wml_client_error import WMLClientError  # noqa: PLC0415

    hushed()
    url, key = place.base_url.rstrip("/"), place.key.reveal()
    unused: Any = httpx2.Client(transport=httpx2.BaseTransport(), trust_env=False)
    try:
        platform, tokens = _beside(url, place.access.more)
        credentials = Credentials(url=url, api_key=key, token=NOT_YET, platform_url=platform, auth_url=tokens)
        return APIClient(credentials, httpx_client=unused, async_httpx_client=http)
    except WMLClientError as error:
        raise unusable(place.key.hidden_in(str(error))) from None


def _beside(url: str, more: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Addresses of the platform and of its tokens; None where the SDK has them in its table of regions.

    Without the second one the SDK would carry the key of another installation to one of IBM's own.
    """
    from ibm_watsonx_ai import APIClient  # noqa: PLC0415

    tokens = more.get(AUTH_URL, "").strip() or None
    if url in APIClient.PLATFORM_URLS_MAP:
        return None, tokens
    if not tokens:
        raise unusable(f"{url or 'WATSONX_URL'} is no region of IBM Cloud, and {AUTH_URL} is not set")
    return url, tokens
