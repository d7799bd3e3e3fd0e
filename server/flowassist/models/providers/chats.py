"""A conversation as OpenAI's chat completions write it, and those who followed them."""

from collections.abc import Callable, Mapping
from typing import Any

from flowassist.models.model import Message, Tool, ToolCall
from flowassist.models.providers import shapes


def unsigned(_call: ToolCall) -> Mapping[str, object]:
    """Adds nothing to a tool call."""
    return {}


def system(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def message(said: Message, signed: Callable[[ToolCall], Mapping[str, object]] = unsigned) -> dict[str, Any]:
    """`signed` adds fields to a tool call."""
    plain: dict[str, Any] = {"role": said.role, "content": said.text}
    if said.role == "tool":
        return {**plain, "tool_call_id": said.tool_call_id}
    if not said.tool_calls:
        return plain
    calls = [{**_called(call), **signed(call)} for call in said.tool_calls]
    return {**plain, "content": said.text or None, "tool_calls": calls}


def _called(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def tool(offered: Tool, unknown: frozenset[str] = frozenset()) -> dict[str, Any]:
    """`unknown` are keywords of JSON schema that the provider refuses."""
    parameters = shapes.without(offered.parameters, unknown)
    about = {"name": offered.name, "description": offered.description, "parameters": parameters}
    return {"type": "function", "function": about}
