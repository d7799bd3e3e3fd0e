"""What must hold of a component's outputs and the methods that make them."""

import difflib
from collections.abc import Iterator

from flowassist.components.anatomy import Anatomy, Gives, Method, Output
from flowassist.components.report import Finding
from flowassist.components.reserved import METHODS, OVERRIDDEN

_RESERVED_NAMES, _RESERVED_METHODS = {"component_as_tool", "code"}, {"to_toolkit"}


def output_findings(anatomy: Anatomy) -> Iterator[Finding]:
    for output in anatomy.outputs.entries:
        yield from _reserved(output)
        if output.method:
            yield from _method_of(output, anatomy)
        else:
            message = f"The output '{output.name}' does not have a method."
            remedy = 'Add `method="..."`, the name of the method that makes it.'
            yield Finding("output-without-method", message, remedy, output.line)


def _reserved(output: Output) -> Iterator[Finding]:
    if output.name in _RESERVED_NAMES:
        message = f"The output name '{output.name}' is reserved by Langflow."
        yield Finding("reserved-name", message, "Name the output after its content, as 'result'.", output.line)
    if output.method in _RESERVED_METHODS:
        message = f"The method name '{output.method}' of the output '{output.name}' is reserved for tool mode."
        yield Finding("reserved-name", message, "Name the method after what it makes.", output.line)


def overriding_findings(anatomy: Anatomy) -> Iterator[Finding]:
    """Methods that take the place of those that lfx needs; one that extends them is meant to."""
    for method in anatomy.methods.values():
        if method.name in OVERRIDDEN and not method.extends:
            message = f"Langflow itself calls a method '{method.name}' when a flow runs; this one takes its place."
            remedy = f"Rename it, for example to 'make_{method.name}', wherever it is used."
            yield Finding("method-overrides-lfx", message, remedy, method.line)


def _method_of(output: Output, anatomy: Anatomy) -> Iterator[Finding]:
    method = anatomy.methods.get(output.method)
    if method is not None:
        yield from _result_of(output, method)
        yield from _signature_of(output, method)
    elif not anatomy.foreign and output.method not in METHODS | anatomy.attributes:
        message = f"The output '{output.name}' names the method '{output.method}', which {anatomy.name} does not have."
        yield Finding("output-method-missing", message, _nearest(output.method, anatomy), output.line)


def _nearest(name: str, anatomy: Anatomy) -> str:
    near = difflib.get_close_matches(name, anatomy.methods, n=1)
    return f"Name the method '{near[0]}', or define '{name}'." if near else f"Define `def {name}(self) -> ...:`."


def _result_of(output: Output, method: Method) -> Iterator[Finding]:
    if method.gives is Gives.GENERATOR:
        message = f"The method '{method.name}' yields: its output '{output.name}' would be a generator, not a value."
        yield Finding("output-is-generator", message, "Collect the values and return them once.", method.line)
    elif method.gives is Gives.NOTHING or method.annotation == "None":
        message = f"The method '{method.name}' of the output '{output.name}' does not return a value."
        yield Finding("output-without-return", message, "Return the result, for example a Message.", method.line)
    elif not method.annotation and not output.types:
        message = f"The method '{method.name}' of the output '{output.name}' has no return annotation."
        remedy = f"Declare it: `def {method.name}(self) -> Message:`, or Data, or DataFrame."
        yield Finding("output-not-annotated", message, remedy, method.line)


def _signature_of(output: Output, method: Method) -> Iterator[Finding]:
    if method.unfit:
        message = (
            f"Langflow calls the method '{method.name}' of the output '{output.name}' without arguments, "
            f"but it {method.unfit}."
        )
        remedy = f"Write `def {method.name}(self) -> ...:` and read values as self.<input name>."
        yield Finding("output-method-signature", message, remedy, method.line)
