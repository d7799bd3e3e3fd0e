"""Changes of a component's spec that a request names outright: another output type, a new name, what is required."""

import re
from dataclasses import dataclass, replace

from flowassist.components.spec import Input, OutputType, Spec, input_name, output_name, title

_OUTPUTS = (
    (OutputType.DATAFRAME, r"data ?frames?|tables?|rows|list of (?:dicts|dictionaries|records|objects)"),
    (OutputType.DATA, r"data|json|dict(?:ionary)?|record|object"),
    (OutputType.MESSAGE, r"messages?|plain text|texts?|strings?"),
)
_TYPES = "|".join(pattern for _, pattern in _OUTPUTS)
_TYPED = re.compile(
    rf"\b(?:(?:use|want|prefer|give|return|returns|output|as|to|into|be|a|an|produce)(?: me| it)? (?:an? |the )?"
    rf"(?P<before>{_TYPES})(?: (?:output|type|format|object|instead))+"
    rf"|(?:output|result|return(?: value)?|outputs|returns)\b(?: (?:it|type|format|should|must|to|be|as|into|is|in|a|an"
    rf"|the|use|using|of))* (?P<after>{_TYPES})|(?:convert|change|turn|make|return|output) (?:it|this|the result)"
    rf" (?:as|to|into|be)? ?(?:an? )?(?P<into>{_TYPES}))\b"
)
_QUOTE = "[\"'`\u2018\u2019\u201c\u201d]?"
_NAME = rf"{_QUOTE}\w+{_QUOTE}"
_RENAME = re.compile(
    rf"\b(?:(?:rename|change the name of) (?:the )?(?P<old>{_NAME}(?: (?!(?:to|as|into)\b){_NAME})?) (?:to|as|into)"
    rf"|(?:call|name) (?:the )?(?P<called>{_NAME})(?: as)?) {_QUOTE}(?P<new>[A-Za-z_]\w*){_QUOTE}",
    re.IGNORECASE,
)
_REQUIRED = re.compile(r"\b(?P<not>not |no longer |in|un)?(?P<word>required|mandatory|optional|obligatory)\b")
_PARTS = re.compile(r"[.;,]+(?:\s|$)|\b(?:and|also|then)\b")
_FILLER = re.compile(r"\b(?:please|can|could|would|you|now|instead|thanks|the|it|make|this|for|me)\b|\W")


@dataclass(frozen=True, slots=True)
class Changed:
    """`leaves_nothing`: every part of the request was done. `keeps_function`: what computes need not change."""

    spec: Spec
    leaves_nothing: bool
    keeps_function: bool


def applied(request: str, spec: Spec) -> Changed:
    """The spec with what `request` (English) says outright; what is left is for a model."""
    changed, left, subject = spec, False, ""
    for part in _PARTS.split(request):
        after = _part(part, changed, subject)
        left = left or (after is None and bool(_FILLER.sub("", part.lower())))
        if after:
            subject = _new_name(changed, after) or subject
            changed = after
    return Changed(changed, not left, changed.output is spec.output)


def names_output(request: str) -> OutputType | None:
    """The output type that a request asks for."""
    found = _TYPED.search(request.lower())
    said = next((text for text in found.groups() if text), "") if found else ""
    return next((kind for kind, pattern in _OUTPUTS if re.fullmatch(pattern, said)), None)


def _part(part: str, spec: Spec, subject: str) -> Spec | None:
    """The change that one part of a request names, or None. `subject` is the input that was renamed just before."""
    if renamed := _RENAME.search(part):
        return _renamed(renamed["old"] or renamed["called"], renamed["new"], spec)
    if said := _REQUIRED.search(part.lower()):
        needed = (said["word"] != "optional") != bool(said["not"])
        return replace(spec, inputs=_required(part.lower(), needed, spec.inputs, subject))
    if output := names_output(part):
        return replace(spec, output=output)
    return None


def _renamed(old: str, new: str, spec: Spec) -> Spec | None:
    names = {re.sub(r"\W", "", word).lower() for word in old.split()}
    if names & {"output", "result", spec.output_name}:
        return replace(spec, output_name=output_name(new, [entry.name for entry in spec.inputs]))
    found = next((entry for entry in spec.inputs if entry.name in names), None)
    if found is None and names & {"input", "field", "parameter", "argument"}:
        found = spec.inputs[0]
    if found is None:
        return None
    name = input_name(new, [*(entry.name for entry in spec.inputs), spec.output_name])
    renamed = replace(found, name=name, display_name=title(name))
    return replace(spec, inputs=tuple(renamed if entry is found else entry for entry in spec.inputs))


def _new_name(old: Spec, new: Spec) -> str:
    names = {entry.name for entry in old.inputs}
    return next((entry.name for entry in new.inputs if entry.name not in names), "")


def _required(part: str, needed: bool, inputs: tuple[Input, ...], subject: str) -> tuple[Input, ...]:
    """Those inputs that are named, else the one just spoken of, else all."""
    named = [entry.name for entry in inputs if re.search(rf"\b{entry.name.replace('_', '[_ ]')}\b", part)]
    hit = named or [entry.name for entry in inputs if subject in {"", entry.name}]
    return tuple(replace(entry, required=needed) if entry.name in hit else entry for entry in inputs)
