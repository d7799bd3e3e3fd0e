from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from lfx.custom import Component
from lfx.io import BoolInput, FloatInput, MessageTextInput, Output
from lfx.schema.data import Data


class VatCalculator(Component):
    display_name = "VAT Calculator"
    description = "Adds VAT to an amount."
    icon = "receipt"

    CENT = Decimal("0.01")

    inputs = [
        MessageTextInput(name="amount", display_name="Amount", tool_mode=True),
        FloatInput(name="rate", display_name="Rate", value=19.0),
        BoolInput(name="included", display_name="Already Included", value=False),
    ]
    outputs = [Output(name="bill", display_name="Bill", method="calculate")]

    def calculate(self) -> Data:
        try:
            amount = Decimal(self.amount.replace(",", "."))
        except InvalidOperation:
            return Data(data={"error": f"'{self.amount}' is no amount"})
        factor = 1 + Decimal(str(self.rate)) / 100
        net = amount / factor if self.included else amount
        gross = amount if self.included else amount * factor
        return Data(data={"net": self._money(net), "gross": self._money(gross), "vat": self._money(gross - net)})

    def _money(self, value: Decimal) -> str:
        return str(value.quantize(self.CENT, rounding=ROUND_HALF_UP))
