"""What was asked, after it was checked."""

from dataclasses import dataclass
from enum import Enum


class Sentence(Enum):
    """The two sentences by which today's panels say what a user did; byte for byte as Langflow's panel sends them."""

    PLAN_APPROVED = "User approved the plan. Proceed with the build."
    EDITS_APPLIED = (
        "The proposed canvas edits were applied. Continue with the remaining steps of my previous request "
        "(for example, running the flow). If editing was the entire request, just confirm briefly."
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """`new_session`: the server made the id, so there is no history. `deadline` is in seconds from now."""

    text: str
    session_id: str
    new_session: bool
    attempts: int = 3
    history_turns: int = 6
    deadline: float | None = None

    @property
    def sentence(self) -> Sentence | None:
        return next((sentence for sentence in Sentence if sentence.value == self.text), None)
