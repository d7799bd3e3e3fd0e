import xml.etree.ElementTree as ET

from lfx.custom import Component
from lfx.io import MultilineInput, Output
from lfx.schema.data import Data


class XmlToData(Component):
    display_name = "XML to Data"
    description = "Turns XML into data."
    icon = "code"

    inputs = [MultilineInput(name="xml_text", display_name="XML")]
    outputs = [Output(name="data", display_name="Data", method="parse_xml")]

    def parse_xml(self) -> Data:
        try:
            root = ET.fromstring(self.xml_text)
        except ET.ParseError as error:
            return Data(data={"error": f"line {error.position[0]}: {error}"})
        return Data(data={root.tag: self._element(root)})

    def _element(self, element: ET.Element):
        children = list(element)
        if not children:
            return (element.text or "").strip()
        return {child.tag: self._element(child) for child in children}
