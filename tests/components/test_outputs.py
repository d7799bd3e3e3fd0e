"""The methods of outputs as Langflow calls them."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import UPPERCASE, rules


@pytest.mark.parametrize(
    ("old", "new", "but"),
    [
        ("(self)", "(self, text)", "it asks for 'text'"),
        ("(self)", "(self, text, mark='')", "it asks for 'text'"),
        ("(self)", "(self, *, mark)", "it asks for 'mark'"),
        ("(self)", "(self, text, /)", "it asks for 'text'"),
        ("(self)", "()", "it does not take self"),
        ("    def build_result", "    @property\n    def build_result", "it is a property"),
        ("    def build_result", "    @functools.cached_property\n    def build_result", "it is a property"),
        ("    def build_result(self)", "    @staticmethod\n    def build_result(text)", "it asks for 'text'"),
        ("    def build_result(self)", "    @classmethod\n    def build_result()", "it does not take self"),
    ],
)
def test_methods_that_langflow_cannot_call(old: str, new: str, but: str) -> None:
    code = UPPERCASE.replace(old, new).replace("self.text.upper()", "'x'")
    (finding,) = read("import functools\n" + code).errors
    assert finding.rule == "output-method-signature"
    assert finding.message.endswith(f"without arguments, but {but}.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(self)", "(self, text=None)"),
        ("(self)", "(self, *, mark='')"),
        ("(self)", "(self, *args, **kwargs)"),
        ("(self)", "(this)"),
        ("(self)", "(*args)"),
        ("    def build_result(self)", "    @staticmethod\n    def build_result()"),
        ("    def build_result(self)", "    @classmethod\n    def build_result(cls)"),
        ("    def build_result(self)", "    @retried\n    def build_result(self, attempt)"),
    ],
)
def test_methods_that_it_can(old: str, new: str) -> None:
    code = UPPERCASE.replace(old, new).replace("self.text.upper()", "'x'")
    assert rules(code + "\n\ndef retried(function):\n    return function\n") == []


def test_a_helper_may_ask_for_what_it_likes() -> None:
    assert rules(UPPERCASE + "\n    def shout(self, text, *, mark):\n        return text + mark\n") == []


HELPER = "\n    def extract_data(self, text):\n        return {}\n"


def test_a_helper_that_takes_the_place_of_langflows_own_method() -> None:
    (finding,) = read(UPPERCASE + HELPER.format("text")).errors
    assert (finding.rule, finding.line) == ("method-overrides-lfx", 15)
    assert "make_extract_data" in finding.remedy


@pytest.mark.parametrize("call", ["super().extract_data(text)", "super(UppercaseComponent, self).extract_data(text)"])
def test_one_that_extends_it_is_meant(call: str) -> None:
    assert rules(UPPERCASE + HELPER.format(call)) == []
