"""Any endpoint that speaks OpenAI's chat completions, known by its base URL. A key is not needed."""

from functools import partial

from flowassist.models.providers.listed import chat_models
from flowassist.models.providers.openai import COMPATIBLE, OpenAIModel, endpoint
from flowassist.models.providers.wire import Wire

WIRE = Wire(endpoint, partial(OpenAIModel, provider="openai_compatible", dialect=COMPATIBLE), listed=chat_models)
