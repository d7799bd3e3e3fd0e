"""A component's node in lfx itself, without anything of ours: python placed.py < description in JSON.

Prints what the node is when lfx builds it from its code, and what a flow of this node says of a text.
"""

import asyncio
import json
import sys
from typing import Any

from lfx.custom.utils import build_custom_component_template
from lfx.custom.validate import create_class
from lfx.load import aload_flow_from_json


def built(name: str, code: str) -> dict[str, Any]:
    node, _ = build_custom_component_template(create_class(code, name)(_code=code))
    return dict(node)


async def said(name: str, node: dict[str, Any]) -> str:
    node["template"]["text"]["value"] = "loud"
    placed = {"id": f"{name}-1", "data": {"id": f"{name}-1", "type": name, "node": node}, "type": "genericNode"}
    graph = await aload_flow_from_json({"name": "flow", "data": {"nodes": [placed], "edges": []}})
    graph.prepare()
    async for _ in graph.async_start():
        pass
    return str(next(iter(graph.vertices[0].results.values())).data["text"])


told = json.load(sys.stdin)
name, node = told["type"]["name"], told["node"]
print(json.dumps({"built": built(name, told["code"]), "said": asyncio.run(said(name, node))}))  # noqa: T201
