"""Component types as the contract tells them."""

from datetime import datetime
from typing import Any

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct, Value

from flowassist import events
from flowassist.components.described import OWN_CATEGORY, ComponentType, Description, Input, Output, describe
from flowassist.components.report import Verdict
from flowassist.text import clean
from flowassist.v1 import components_pb2 as pb

BUILT_IN, OWN = pb.COMPONENT_ORIGIN_BUILT_IN, pb.COMPONENT_ORIGIN_OWN


def component_type(told: ComponentType, origin: pb.ComponentOrigin, at: datetime | None = None) -> pb.ComponentType:
    """`at`: when it was validated."""
    message = pb.ComponentType(
        name=told.name,
        display_name=told.display_name,
        description=told.description,
        category=told.category,
        origin=origin,
        icon=told.icon,
        legacy=told.legacy,
        beta=told.beta,
        packages=told.packages,
    )
    if at:
        message.validated_at.FromDatetime(at)
    return message


def description(
    told: Description, origin: pb.ComponentOrigin, at: datetime | None = None
) -> pb.DescribeComponentTypeResponse:
    return pb.DescribeComponentTypeResponse(
        type=component_type(told.type, origin, at),
        inputs=map(_input, told.inputs),
        outputs=map(_output, told.outputs),
        code=told.code,
        node=json_format.ParseDict(told.node, Struct()),
    )


def validated(verdict: Verdict, kept_at: datetime | None = None) -> pb.ValidateComponentResponse:
    """`kept_at`: when it became one of the caller's own."""
    response = pb.ValidateComponentResponse(
        validated=verdict.ok,
        class_name=clean(verdict.class_name),
        error=clean(verdict.error),
        report=events.report(verdict.report),
    )
    if verdict.ok:
        told = describe(verdict.class_name, OWN_CATEGORY, verdict.node)
        origin = OWN if kept_at else pb.COMPONENT_ORIGIN_UNSPECIFIED
        response.description.CopyFrom(description(told, origin, kept_at))
    return response


def _input(told: Input) -> pb.ComponentInput:
    return pb.ComponentInput(
        name=told.name,
        display_name=told.display_name,
        info=told.info,
        kind=told.kind,
        value_type=told.value_type,
        required=told.required,
        advanced=told.advanced,
        hidden=told.hidden,
        list=told.is_list,
        tool_mode=told.tool_mode,
        secret=told.secret,
        default_value=_value(told.default),
        options=told.options,
        accepts=told.accepts,
    )


def _output(told: Output) -> pb.ComponentOutput:
    return pb.ComponentOutput(name=told.name, display_name=told.display_name, method=told.method, types=told.types)


def _value(default: Any) -> Value | None:
    return None if default is None else json_format.ParseDict(default, Value())
