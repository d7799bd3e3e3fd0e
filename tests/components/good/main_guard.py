# warns: dropped-statement
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Greeter(Component):
    display_name = "Greeter"
    description = "Greets a person."
    icon = "hand"
    inputs = [MessageTextInput(name="person", display_name="Person", value="World")]
    outputs = [Output(name="greeting", display_name="Greeting", method="greet")]

    def greet(self) -> Message:
        """Return a greeting."""
        return Message(text=f"Hello, {self.person}!")


if __name__ == "__main__":
    print(Greeter(person="Ada").greet().text)
