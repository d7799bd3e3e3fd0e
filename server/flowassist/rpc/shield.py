"""The outermost interceptor: bytes in, bytes out, and no exception text beyond it."""

import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from inspect import isasyncgenfunction
from typing import Any, NoReturn

import grpc
import structlog
from google.protobuf.message import DecodeError, Message

from flowassist.errors import Reason, Refused
from flowassist.rpc.status import status_of

logger = structlog.get_logger("flowassist")
Context = grpc.aio.ServicerContext[Any, Any]


class Shield(grpc.aio.ServerInterceptor):
    """Parses requests itself, so that a malformed one is INVALID_ARGUMENT and not UNKNOWN with a stack's text; turns
    Refused into its status; and answers INTERNAL with an opaque id for everything else."""

    async def intercept_service(self, continuation: Any, handler_call_details: Any) -> Any:
        method, handler = handler_call_details.method, await continuation(handler_call_details)
        if handler is None:
            return None
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(_unary(method, handler))
        if handler.stream_stream:
            return grpc.stream_stream_rpc_method_handler(_both(method, handler))
        if isasyncgenfunction(handler.unary_stream):
            return grpc.unary_stream_rpc_method_handler(_stream(method, handler))
        return grpc.unary_stream_rpc_method_handler(_writer(method, handler), None, handler.response_serializer)


def _both(method: str, handler: Any) -> Any:
    """Reflection."""

    async def parsed(raw: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        async for request in raw:
            yield _parsed(handler, request)

    async def behave(raw: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        try:
            async for response in handler.stream_stream(parsed(raw), context):
                yield _serialized(response)
        except Exception as error:  # noqa: BLE001 - nothing of it may travel
            await _abort(method, error, context)

    return behave


def _writer(method: str, handler: Any) -> Any:
    """Health's Watch, which writes for itself."""

    async def behave(raw: bytes, context: Context) -> None:
        try:
            await handler.unary_stream(_parsed(handler, raw), context)
        except Exception as error:  # noqa: BLE001 - nothing of it may travel
            await _abort(method, error, context)

    return behave


def _stream(method: str, handler: Any) -> Any:
    async def behave(raw: bytes, context: Context) -> AsyncIterator[bytes]:
        try:
            async with aclosing(handler.unary_stream(_parsed(handler, raw), context)) as responses:
                async for response in responses:
                    yield _serialized(response)
        except Exception as error:  # noqa: BLE001 - nothing of it may travel
            await _abort(method, error, context)

    return behave


def _unary(method: str, handler: Any) -> Any:
    async def behave(raw: bytes, context: Context) -> bytes:
        try:
            return _serialized(await handler.unary_unary(_parsed(handler, raw), context))
        except Exception as error:  # noqa: BLE001 - nothing of it may travel
            await _abort(method, error, context)

    return behave


def _parsed(handler: Any, raw: bytes) -> Any:
    try:
        return handler.request_deserializer(raw)
    except (DecodeError, UnicodeDecodeError, ValueError):
        raise Refused(Reason.MESSAGE_MALFORMED) from None


def _serialized(response: bytes | Message) -> bytes:
    return response if isinstance(response, bytes) else response.SerializeToString()


async def _abort(method: str, error: Exception, context: Context) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if not isinstance(error, Refused):
        incident = uuid.uuid4().hex[:12]
        logger.error("rpc.failed", method=method, incident=incident, exc_info=error)
        error = Refused(Reason.INTERNAL, incident=incident)
    await context.abort_with_status(status_of(error))
    raise AssertionError("abort_with_status returned")
