import tomllib

import yaml

from lfx.custom import Component
from lfx.io import MultilineInput, Output, TabInput
from lfx.schema.data import Data


class ParseConfig(Component):
    display_name = "Parse Config"
    description = "Parses YAML or TOML."
    icon = "file-cog"

    inputs = [
        MultilineInput(name="yaml_text", display_name="YAML Text"),
        TabInput(name="dialect", display_name="Dialect", options=["YAML", "TOML"], value="YAML"),
    ]
    outputs = [Output(name="config", display_name="Config", method="parse_config")]

    def parse_config(self) -> Data:
        try:
            parsed = yaml.safe_load(self.yaml_text) if self.dialect == "YAML" else tomllib.loads(self.yaml_text)
        except (yaml.YAMLError, tomllib.TOMLDecodeError) as error:
            return Data(data={"error": str(error)})
        return Data(data=parsed if isinstance(parsed, dict) else {"value": parsed})
