"""The command line: `flowassist serve | ask | validate | variables | doctor | model fetch | eval | demo`."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence

from flowassist import settings

_TEXT = "Create a component that converts text to uppercase"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # we exec and never fork; gRPC would warn of each
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character is no reason to stop
    parsed = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], int] = parsed.command
        return command(parsed)
    except settings.SettingError as error:
        print(f"flowassist: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="flowassist", description="A gRPC assistant for Langflow.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="run the server; settings come from FLOWASSIST_… in the environment")
    serve.add_argument("--port", type=int, help="the port to bind; 0 takes a free one")
    serve.set_defaults(command=_serve)

    ask = commands.add_parser("ask", help="ask a running server and show every event as it comes")
    ask.add_argument("text")
    ask.add_argument("--session", help="go on in this session")
    ask.add_argument("--provider")
    ask.add_argument("--model")
    ask.add_argument("--max-retries", type=int, help="attempts in all at writing a component, 1 to 5")
    _add_address(ask)
    ask.add_argument("--timeout", type=float, help="seconds until the call's deadline")
    ask.add_argument("--json", action="store_true", help="one event a line, in protobuf's JSON mapping")
    ask.set_defaults(command=_ask)

    validate = commands.add_parser("validate", help="check components in a sandbox of its own; no server is needed")
    validate.add_argument(
        "files", nargs="+", metavar="FILE", help="Python source of one component; - is standard input"
    )
    validate.add_argument("--json", action="store_true", help="one object a file: ValidateComponentResponse, and file")
    validate.set_defaults(command=_validate)

    _add_variables(commands.add_parser("variables", help="your own keys and addresses, kept encrypted by a server"))

    doctor = commands.add_parser("doctor", help="what works here, and what is missing")
    doctor.set_defaults(command=_doctor)

    model = commands.add_parser("model", help="the embedded model").add_subparsers(required=True, metavar="ACTION")
    fetch = model.add_parser("fetch", help="download its weights, checked by hash")
    fetch.set_defaults(command=_fetch)

    evaluate = commands.add_parser("eval", help="score a model on evaluation sets")
    evaluate.add_argument("--intent", help="a JSON Lines file of messages and intents")
    evaluate.add_argument("--components", help="a JSON Lines file of requests and expected results")
    evaluate.add_argument("--rules-only", action="store_true", help="what is decided without a model, and ask none")
    evaluate.add_argument("--provider")
    evaluate.add_argument("--model")
    evaluate.set_defaults(command=_evaluate)

    demo = commands.add_parser("demo", help="start a server, have the embedded model write a component, stop")
    demo.add_argument("--text", default=_TEXT)
    demo.set_defaults(command=_demo)
    return parser


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", default=os.environ.get("FLOWASSIST_ADDRESS", "127.0.0.1:50051"))


def _add_variables(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action")
    put = actions.add_parser("set", help="write or replace one; its value is read from standard input, or asked for")
    put.add_argument("name", help="for example OPENAI_API_KEY")
    delete = actions.add_parser("delete", help="forget one")
    delete.add_argument("name")
    for action in (put, actions.add_parser("list", help="their names: values never come back"), delete):
        _add_address(action)
        action.set_defaults(command=_variables)
    rotate = actions.add_parser(
        "rotate",
        help="encrypt all owners' variables with a new key, where the server's database and settings are",
    )
    rotate.add_argument("--forget-old", action="store_true", help="drop the former keys from the key file")
    rotate.set_defaults(command=_rotate)


def _serve(parsed: argparse.Namespace) -> int:
    from flowassist import app  # noqa: PLC0415 - a client must not load the server
    from flowassist.telemetry import logs  # noqa: PLC0415

    environment = dict(os.environ)
    if parsed.port is not None:
        environment["FLOWASSIST_PORT"] = str(parsed.port)
    chosen = settings.read(environment)
    logs.configure(chosen.log_level)
    app.main(chosen)
    return 0


def _ask(parsed: argparse.Namespace) -> int:
    from flowassist.cli import ask  # noqa: PLC0415

    return ask.run(parsed)


def _validate(parsed: argparse.Namespace) -> int:
    from flowassist.cli import validate  # noqa: PLC0415

    _only_errors_are_logged()
    return validate.run(parsed, settings.read(os.environ))


def _variables(parsed: argparse.Namespace) -> int:
    from flowassist.cli import variables  # noqa: PLC0415

    actions = {"set": variables.put, "list": variables.show, "delete": variables.delete}
    return actions[parsed.action](parsed)


def _rotate(parsed: argparse.Namespace) -> int:
    from flowassist.cli import rotate  # noqa: PLC0415 - it needs the store, which a client does not

    _only_errors_are_logged()
    return rotate.run(parsed, settings.read(os.environ))


def _doctor(_parsed: argparse.Namespace) -> int:
    from flowassist.cli import doctor  # noqa: PLC0415

    _only_errors_are_logged()
    return doctor.run(settings.read(os.environ), os.environ)


def _fetch(_parsed: argparse.Namespace) -> int:
    from flowassist.cli import model  # noqa: PLC0415

    return model.fetch()


def _evaluate(parsed: argparse.Namespace) -> int:
    from flowassist.cli import evaluate  # noqa: PLC0415

    _only_errors_are_logged()
    return evaluate.run(parsed, settings.read(os.environ), os.environ)


def _only_errors_are_logged() -> None:
    """Results stand alone on the terminal, and the log is ours: its usual form would show the values in frames."""
    from flowassist.telemetry import logs  # noqa: PLC0415

    logs.configure("error")


def _demo(parsed: argparse.Namespace) -> int:
    from flowassist.cli import demo  # noqa: PLC0415

    return demo.run(parsed.text)
