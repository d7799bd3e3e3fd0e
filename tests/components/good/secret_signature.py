import base64
import hashlib
import hmac

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, SecretStrInput
from lfx.schema.data import Data


class SignText(Component):
    display_name = "Sign Text"
    description = "HMAC signature of a text."
    icon = "key"

    inputs = [
        MessageTextInput(name="payload", display_name="Payload"),
        SecretStrInput(name="secret", display_name="Secret", required=True),
    ]
    outputs = [Output(name="signed", display_name="Signed", method="sign")]

    def sign(self) -> Data:
        mac = hmac.new((self.secret or "").encode(), self.payload.encode(), hashlib.sha256)
        return Data(data={"hex": mac.hexdigest(), "base64": base64.b64encode(mac.digest()).decode("ascii")})
