# not checked: weather: network
import requests

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, SecretStrInput
from lfx.schema.data import Data


class WeatherComponent(Component):
    display_name = "Weather"
    description = "Current weather of a city."
    icon = "cloud-sun"

    inputs = [
        MessageTextInput(name="city", display_name="City", value="Lisbon", tool_mode=True),
        SecretStrInput(name="api_key", display_name="API Key", required=True),
    ]
    outputs = [Output(name="weather", display_name="Weather", method="get_weather")]

    def get_weather(self) -> Data:
        try:
            response = requests.get(
                "https://api.openweathermap.org/data/2.5/weather",
                params={"q": self.city, "appid": self.api_key, "units": "metric"},
                timeout=10,
            )
            response.raise_for_status()
        except requests.exceptions.RequestException as error:
            self.status = f"Request failed: {error}"
            return Data(data={"error": str(error), "city": self.city})
        body = response.json()
        return Data(data={"city": self.city, "temperature": body["main"]["temp"]})
