"""What the user was understood to want."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The names are those of Intent in the contract, without its prefix."""

    GENERATE_COMPONENT = "generate_component"
    BUILD_FLOW = "build_flow"
    RUN_FLOW = "run_flow"
    COMPONENT_THEN_FLOW = "component_then_flow"
    QUESTION = "question"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class Intended:
    """`request` is the message in English, which later stages work on.

    `degraded` tells that the model gave no usable reading, so that the message was taken as a question.
    `requested_model` is a model that the message names, or empty. `rule` says what decided without asking a model; it
    is empty where one was asked.
    """

    kind: Kind
    request: str
    degraded: bool = False
    requested_model: str = ""
    rule: str = ""
