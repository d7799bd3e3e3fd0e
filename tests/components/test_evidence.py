"""A run's claim is held against the code: what does not fit is no evidence."""

from dataclasses import replace

import pytest

from flowassist.components.anatomy import Anatomy
from flowassist.components.evidence import Evidence, weigh
from flowassist.components.reading import read
from flowassist.components.report import Check, Outcome
from flowassist.sandbox.claims import Blame, Claim, Fault, Output, Run, Stage
from tests.components.samples import UPPERCASE

RESULT = Run("result", "plain", "Message", "HELLO", '"HELLO"')
HONEST = Claim(
    Stage.DONE,
    "UppercaseComponent",
    inputs=("text",),
    outputs=(Output("result", "build_result", ("Message",)),),
    runs=(RESULT,),
)


def anatomy() -> Anatomy:
    read_one = read(UPPERCASE).anatomy
    assert read_one
    return read_one


def run_check(evidence: Evidence) -> Check:
    return next(check for check in evidence.checks if check.name == "run:result")


def test_an_honest_claim() -> None:
    evidence = weigh(HONEST, anatomy())
    assert evidence.findings == ()
    assert {check.outcome for check in evidence.checks} == {Outcome.PASSED}
    assert run_check(evidence).detail == "Message from sample 'plain': HELLO"


@pytest.mark.parametrize(
    "forged",
    [
        replace(HONEST, class_name="Other"),
        replace(HONEST, inputs=()),
        replace(HONEST, inputs=("text", "more")),
        replace(HONEST, outputs=()),
        replace(HONEST, outputs=(Output("result", "other", ()),)),
        replace(HONEST, outputs=(*HONEST.outputs, Output("second", "build_result", ()))),
        replace(HONEST, runs=()),
        replace(HONEST, runs=(replace(RESULT, output="other"),)),
        replace(HONEST, stage=Stage.TEMPLATE),
    ],
)
def test_a_claim_that_tells_of_something_else(forged: Claim) -> None:
    (finding,) = weigh(forged, anatomy()).findings
    assert finding.rule == "run-disagrees"
    assert finding.message == "The run reported something else than the code says."


def test_a_limit_in_the_middle_of_a_run() -> None:
    limit = Fault("LimitError", "The code did not finish within 10 s.", Blame.LIMITS, 13)
    evidence = weigh(Claim(Stage.RUN, fault=limit), anatomy())
    (finding,) = evidence.findings
    assert (finding.rule, finding.message, finding.line) == ("run-failed", limit.message, 13)
    assert run_check(evidence) == Check("run:result", Outcome.FAILED, limit.message)


def test_a_fault_is_told_once_although_claim_and_run_carry_it() -> None:
    fault = Fault("NameError", "NameError: name 'foo' is not defined", Blame.CODE, 13)
    evidence = weigh(replace(HONEST, stage=Stage.RUN, fault=fault, runs=(replace(RESULT, fault=fault),)), anatomy())
    assert len(evidence.findings) == 1
    assert run_check(evidence).outcome is Outcome.FAILED


def test_the_boundary_is_no_fault_of_a_method() -> None:
    needs = Fault("ConnectError", "It needs the network, which the sandbox does not have.", Blame.BOUNDARY, 13)
    evidence = weigh(replace(HONEST, runs=(replace(RESULT, fault=needs),)), anatomy())
    assert evidence.findings == ()
    assert run_check(evidence) == Check("run:result", Outcome.NOT_CHECKED, needs.message)
