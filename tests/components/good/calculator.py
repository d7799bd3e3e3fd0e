import ast
import math
import operator

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class SafeCalculator(Component):
    display_name = "Safe Calculator"
    description = "Evaluates arithmetic without running code."
    icon = "calculator"

    OPERATORS = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.USub: operator.neg,
    }

    inputs = [MessageTextInput(name="expression", display_name="Expression", tool_mode=True)]
    outputs = [Output(name="result", display_name="Result", method="evaluate_expression")]

    def evaluate_expression(self) -> Message:
        try:
            value = self._value(ast.parse(self.expression, mode="eval").body)
        except (SyntaxError, ValueError, ZeroDivisionError, KeyError) as error:
            return Message(text=f"Error: {error}")
        return Message(text=str(int(value) if math.isclose(value, round(value)) else value))

    def _value(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.BinOp):
            return self.OPERATORS[type(node.op)](self._value(node.left), self._value(node.right))
        if isinstance(node, ast.UnaryOp):
            return self.OPERATORS[type(node.op)](self._value(node.operand))
        raise ValueError("only numbers and + - * /")
