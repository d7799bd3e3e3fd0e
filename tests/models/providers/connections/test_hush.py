import os
import subprocess
import sys


def test_an_sdk_does_not_log_what_it_sends_or_gets() -> None:
    """Also where its own variable asks for that."""
    program = (
        "import logging, anthropic, openai\n"
        "assert logging.getLogger('openai').isEnabledFor(logging.DEBUG)\n"
        "from flowassist.models.providers.connections.hush import LOGGERS, hushed\n"
        "hushed()\n"
        "print([name for name in LOGGERS if logging.getLogger(name + '.part').isEnabledFor(logging.ERROR)])"
    )
    environment = {**os.environ, "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "[]\n"
