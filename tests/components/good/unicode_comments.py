# -*- coding: utf-8 -*-
"""Zählt Zeichen: ein Baustein mit Umlauten, 日本語 und Emojis 🙂."""

import unicodedata

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data


class ZeichenZähler(Component):
    display_name = "Zeichen zählen 🔢"
    description = "Zählt Zeichen nach ihrer Art – auch 日本語."
    icon = "languages"

    inputs = [MessageTextInput(name="texteingabe", display_name="Texteingabe", info="Beliebiger Text, auch „Zitate“")]
    outputs = [Output(name="zählung", display_name="Zählung", method="zähle")]

    def zähle(self) -> Data:
        arten: dict[str, int] = {}
        for zeichen in self.texteingabe:
            art = unicodedata.category(zeichen)
            arten[art] = arten.get(art, 0) + 1
        return Data(data=arten)
