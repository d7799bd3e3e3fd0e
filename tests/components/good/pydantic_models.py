from typing import Literal, Optional

from pydantic import BaseModel, Field, ValidationError

from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.data import Data


class Person(BaseModel):
    name: str = Field(min_length=1)
    age: int = Field(ge=0, le=150)
    role: Literal["user", "admin"] = "user"
    nickname: Optional[str] = None


_person = Person.model_rebuild()


class MakePerson(Component):
    display_name = "Make Person"
    description = "Checks a person's data."
    icon = "user"

    inputs = [
        MessageTextInput(name="full_name", display_name="Full Name"),
        IntInput(name="age", display_name="Age", value=30),
        MessageTextInput(name="role", display_name="Role", value="user"),
    ]
    outputs = [Output(name="person", display_name="Person", method="make_person")]

    def make_person(self) -> Data:
        try:
            person = Person(name=self.full_name, age=self.age, role=self.role)
        except ValidationError as error:
            return Data(data={"valid": False, "errors": [e["msg"] for e in error.errors()]})
        return Data(data={"valid": True, **person.model_dump(exclude_none=True)})
