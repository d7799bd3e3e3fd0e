"""`python -m fuzz --seconds 600`: every target for its share of the time. Exit code 1: something was found."""

import argparse
import hashlib
import secrets
import sys
from pathlib import Path

from fuzz.search import Found, search
from fuzz.targets import TARGETS, Target

KEPT = Path("build/fuzz")


def told(target: Target, seed: int, found: Found) -> None:
    """Print what came out; inputs that failed are kept in a folder."""
    print(f"{target.name}: {found.inputs} inputs, {len(found.outcomes)} outcomes, {len(found.failures)} failures")
    for kind, text in found.failures.items():
        raw = text.encode(errors="surrogatepass")
        file = KEPT / f"{target.name}-{hashlib.sha256(raw).hexdigest()[:12]}"
        KEPT.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
        print(f"  {kind}\n  seed {seed}, kept in {file}: {text[:200]!r}")


def main(seconds: float, seed: int, only: str) -> int:
    chosen = [target for target in TARGETS if only in {"", target.name}]
    failed = 0
    for target in chosen:
        found = search(target, seed, seconds=seconds / len(chosen))
        told(target, seed, found)
        failed += len(found.failures)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32))
    parser.add_argument("--only", default="", choices=["", *(target.name for target in TARGETS)])
    parsed = parser.parse_args()
    sys.exit(main(parsed.seconds, parsed.seed, parsed.only))
