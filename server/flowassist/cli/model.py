"""Obtain the embedded model's weights."""

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

from flowassist.models.embedded import download, weights


def fetch() -> int:
    """Download what is missing, with a progress bar. 0: it is there, and its hash is right."""
    console = Console(highlight=False)
    if weights.present():
        console.print(f"The embedded model is there: {weights.path()}")
        return 0
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("Embedded model", total=None)
            download.fetch(weights.QWEN, lambda done, total: bar.update(task, completed=done, total=total))
    except weights.FetchError as error:
        console.print(f"[red]{error}[/]")
        return 1
    console.print(f"The embedded model is verified: {weights.path()}")
    return 0
