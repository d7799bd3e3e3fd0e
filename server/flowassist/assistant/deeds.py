"""What components and flows of this trade do: verbs, as they stand after "that", "to" and "for"."""

_VERBS = """
accept add aggregate analyse analyze anonymize answer append apply average book browse build calculate call capitalize
chat check choose chunk classify clean collect combine compare compress compute concatenate convert copy correct count
create decode decrypt deduplicate detect divide download draft draw drop email embed encode encrypt escape estimate
evaluate exclude extract fetch fill filter find flatten flag format generate get give grade greet group handle hash
highlight import index ingest insert inspect invert join label limit list load log lowercase map mask match measure
merge moderate monitor multiply normalize obfuscate output pad parse pick plan post predict prefix prepend print process
produce pull quiz query randomize rank read receive redact remove rename repeat replace reply research resize resolve
respond retrieve retry return reverse rewrite rotate round route sample sanitize save say schedule score scrape search
select send serve shorten shuffle simulate sort split square standardize store strip subtract suggest sum summarise
summarize swap tag take tell tokenize track transcribe transform translate trim truncate turn unescape uppercase
validate verify watch wrap write
""".split()  # noqa: SIM905 - as a list it would be a page


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"


def _gerund(verb: str) -> str:
    """Also with its last letter doubled."""
    return f"{verb.removesuffix('e')}{verb[-1]}?ing"


DOES = rf"(?:{'|'.join(map(_third, _VERBS))}|looks up)"
DO = rf"(?:{'|'.join(_VERBS)}|look up)"
DOING = rf"(?:{'|'.join(map(_gerund, _VERBS))}|looking up)"
