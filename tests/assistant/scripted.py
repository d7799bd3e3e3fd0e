"""A model that gives the answers it was given, one for each call, and keeps the calls."""

from flowassist.models.model import Call, Finish, Hear, Reply, Usage, nobody


class Script:
    """An Ask. `spent` fails if an answer was not asked for."""

    def __init__(self, *answers: str | Reply) -> None:
        self._answers = list(answers)
        self.calls: list[tuple[str, Call]] = []

    async def __call__(self, phase: str, call: Call, hear: Hear = nobody) -> Reply:
        self.calls.append((phase, call))
        answer = self._answers.pop(0)
        return answer if isinstance(answer, Reply) else Reply(answer, Finish.STOP, Usage(1, 1, 2))

    @property
    def spent(self) -> bool:
        return not self._answers

    def asked(self, number: int) -> str:
        """The last message of a call."""
        return self.calls[number][1].messages[-1].text


def cut(text: str) -> Reply:
    return Reply(text, Finish.LENGTH, Usage(1, 1, 2))
