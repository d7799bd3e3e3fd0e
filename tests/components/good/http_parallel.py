# not checked: statuses: network
import asyncio

import httpx

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.dataframe import DataFrame


class CheckLinks(Component):
    display_name = "Check Links"
    description = "Checks several addresses side by side."
    icon = "link-2"

    inputs = [MessageTextInput(name="urls", display_name="URLs", is_list=True)]
    outputs = [Output(name="statuses", display_name="Statuses", method="check_links")]

    async def check_links(self) -> DataFrame:
        limit = asyncio.Semaphore(5)
        async with httpx.AsyncClient() as client:

            async def one(url: str) -> dict:
                async with limit:
                    response = await client.get(url)
                return {"url": url, "status": response.status_code}

            return DataFrame(await asyncio.gather(*(one(url) for url in self.urls)))
