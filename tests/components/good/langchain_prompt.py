from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate

from lfx.custom import Component
from lfx.io import MessageTextInput, MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class BuildPrompt(Component):
    display_name = "Build Prompt"
    description = "Builds the messages of a chat."
    icon = "messages-square"

    inputs = [
        MultilineInput(name="system_text", display_name="System", value="You are helpful."),
        MessageTextInput(name="question", display_name="Question"),
    ]
    outputs = [
        Output(name="prompt", display_name="Prompt", method="build_prompt"),
        Output(name="turns", display_name="Turns", method="build_turns"),
    ]

    def build_prompt(self) -> Message:
        prompt = ChatPromptTemplate.from_messages([("system", "{system}"), ("human", "{question}")])
        messages = prompt.format_messages(system=self.system_text, question=self.question)
        return Message(text="\n".join(f"{m.type}: {m.content}" for m in messages))

    def build_turns(self) -> Data:
        turns = [SystemMessage(self.system_text), HumanMessage(self.question), AIMessage("")]
        return Data(data={"turns": [{"role": t.type, "text": t.content} for t in turns]})
