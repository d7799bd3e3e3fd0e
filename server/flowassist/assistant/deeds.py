"""What components and flows of this trade do, and to what: a closed vocabulary and the few ways to put it together.

Patterns over lower-case English. Whatever is not in the vocabulary may be another product, another trade or the rest of
a complaint, so that no deed with an unknown word in it matches.
"""

from collections.abc import Callable

_BY_COMPONENTS = """
add aggregate analyse analyze anonymize append average calculate capitalize censor check chunk classify clean collect
combine compare compute concatenate convert correct count decode decrypt deduplicate detect divide download encode
encrypt escape estimate extract fetch filter find flatten format generate group hash invert join limit load lowercase
map mask match merge multiply normalize obfuscate pad paraphrase parse pick prefix prepend query rank read redact remove
rename replace retrieve return reverse rewrite round sample sanitize scan score scrape search select shorten shuffle
simplify slice sort split standardize strip subtract sum summarise summarize swap tag tokenize transform translate trim
truncate turn unescape uppercase validate verify
"""
_BY_FLOWS = """
analyse analyze answer book call check cite classify collect compare convert correct create detect draft explain extract
fetch filter find generate grade greet group index list moderate monitor paraphrase plan process produce rank read reply
research respond retrieve return rewrite route scan score scrape search send shorten simplify sort split store summarise
summarize tag tell translate turn validate verify write
"""

_LANGUAGES = "english french german italian spanish portuguese dutch japanese chinese korean arabic latin"
_FORMATS = "html json csv tsv xml yaml pdf markdown"
_QUALITIES = f"""
all-caps annual ascii blank blog bullet comma-separated common compound consecutive credit daily different double
duplicate duplicated empty even exchange extra first frequent given hate hexadecimal hourly human-readable incoming
invalid ip iso last latest leading long longest lower md5 monthly multiple negative nested new null numeric odd other
personal phone plain plain-text positive postal prime random raw reading recent repeated rest roman running scanned
sensitive several sha-1 sha-256 sha256 short shortest similar simple single special stock stop structured tax title top
trailing unicode unique unix unstructured uploaded upper valid very web weekly whole {_LANGUAGES} {_FORMATS}
"""
_DATA = f"""
accents article articles base64 checksum dataframe dataframes email emails emoji emojis forecast hash hashtag hashtags
iban ibans keyword keywords lowercase paragraph paragraphs password passwords pdfs punctuation regex sentence sentences
sentiment string strings substring substrings text texts timestamp timestamps tweet tweets umlauts uppercase url urls
uuid uuids vowel vowels weather whitespace word words {_FORMATS}
"""
"""Things that only software works on, or nearly so."""

_FIGURES = f"""
abbreviations acronym acronyms address addresses age anagrams answer answers apis average averages bmi boolean booleans
card cards case celsius character characters cities city column columns comma commas comment comments consonant
consonants contract contracts correlation countries country currencies currency customer customers data database date
dates day days decimal decimals delimiter description descriptions deviation dictionaries dictionary difference
differences digit digits discount distance document documents domain domains duplicates entities entity epoch expression
expressions factorial fahrenheit feed feeds feet fibonacci field fields file files format frequency grammar greeting
heading headings height hour hours initials integer integers interest invoice invoices ips item items kelvin key keys
kilograms kilometers language languages length letter letters line lines link links list lists log logarithm logs
maximum mean median message messages metadata meters miles minimum minute minutes month months name names news number
numbers occurrences order orders outliers page pages palindromes pattern patterns percent percentage percentages pii
pounds prefix prices primality primes product products profanity prompt prompts query question questions quote quotes
rate rates readability receipt receipts record records report reports response results review reviews root row rows
search separator similarity sitemap slug slugs space spaces speech spelling sql stories story suffix sum summaries
summary table tables tags time times title titles token tokens tone topic topics total totals transcript transcripts
typos unit units utc value values variance version versions week weekday weekdays weeks weight xpath year years zeros
zone zones {_LANGUAGES}
"""
_TOPICS = """
action agent appointment appointments arxiv base blog brief calendar captions chat companies company complaint
complaints conversation conversations digest draft drafts embeddings entries essays faq faqs feedback folder handbook
headline headlines industry input joke jokes knowledge lead leads llm manual manuals meal meals meeting meetings memory
newsletter newsletters note notes output paper papers person persons podcast podcasts poem poems policies policy post
posts priority quiz rag recipe recipes replies reply request requests resume resumes retrieval return rss source sources
spreadsheet store support task tasks team ticket tickets tool tools trip trips urgency user vector web website wiki
wikipedia
"""
_ALSO_VERBS = "result output report request prompt link log post order"
_SPENT = "time minute minutes hour hours day days week weeks month months year years token tokens memory"
"""What is taken where something is slow or dear."""

_UNCOUNTED = "text email data time"
_OWNERS = "a an the all each every any some both its their"
_COUNTS = r"one|two|three|four|five|six|seven|eight|nine|ten|n|[0-9]{1,4}(?:\.[0-9]{1,2})?"
_LINKS = "of in into to from by with for on as at between within after before about against over than"


def any_of(words: str) -> str:
    """A pattern for any of `words`, which are parted by blanks."""
    return "|".join(sorted(set(words.split()), key=len, reverse=True))


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"


def _gerund(verb: str) -> str:
    """Also with its last letter doubled."""
    return f"{verb.removesuffix('e')}{verb[-1]}?ing"


_LIKE_VERBS = "|".join(map(_third, f"{_BY_COMPONENTS} {_BY_FLOWS} {_ALSO_VERBS}".split()))


def _plural(noun: str) -> bool:
    return noun.endswith("s") and noun not in {"news", "address", "rss", "celsius", "status"}


class _Things:
    """Noun phrases. Of two nouns only the last may be a plural, and none that a verb could be: in "reverses text
    returns ..." a complaint begins. What is counted in the singular needs an article, or else a word of the trade that
    somebody searches for: "parses JSON version"."""

    def __init__(self, nouns: str, owners: str) -> None:
        known = nouns.split()
        bare = [noun for noun in known if noun in _UNCOUNTED.split() or f"{noun}s" not in known]
        before = [noun for noun in known if noun not in _QUALITIES.split() and not _plural(noun)]
        leading = (
            rf"(?:current (?=(?:weather|time|date)\b))?(?:(?:{any_of(_QUALITIES)})[ -]"
            rf"|(?:{any_of(' '.join(before))})[ -](?!(?:{_LIKE_VERBS})\b))*"
        )
        owned = rf"(?:(?:{any_of(owners)}) (?:(?:{_COUNTS}) )?|(?:{_COUNTS}) ){leading}(?:{any_of(nouns)})\b"
        self.alone = rf"(?>{owned}|{leading}(?:{any_of(' '.join(bare))})\b|(?:it|them)\b)"
        self.linked = rf"(?>{owned}|{leading}(?:{any_of(nouns)})\b|(?:it|them)\b)"


def _done(form: Callable[[str], str], verbs: str, things: _Things) -> str:
    """One deed or several, their verbs in the same form, the first of them done to something."""
    verb = rf"(?:{'|'.join(map(form, verbs.split()))}|{form('look')} up)"
    linked = (
        rf"(?: (?!in (?:{_COUNTS})\b)(?:{any_of(_LINKS)}) {things.linked})*"
        r"(?: (?:alphabetically|numerically|randomly|politely))?"
    )
    also = rf"(?:,? and|,) {things.alone}{linked}"
    return (
        rf"(?:{form('take')} (?!(?:\w+ ){{0,2}}(?:{any_of(_SPENT)})\b){things.alone}{linked}(?>{also})*,? and )?"
        rf"{verb}(?= )(?: {things.alone})?{linked}"
        rf"(?>(?:,? and|,)(?: then)? {verb}\b(?: {things.alone})?{linked}|{also})*"
    )


def _deeds(verbs: str, things: _Things) -> str:
    does, do, doing = (_done(form, verbs, things) for form in (_third, str, _gerund))
    return rf"(?:(?:that|which) (?:simply |only |automatically )?{does}|to {do}|for {doing})"


_OF_FLOWS = _Things(f"{_DATA} {_FIGURES} {_TOPICS}", f"{_OWNERS} my our")
THINGS_OF_FLOWS = _OF_FLOWS.linked
OF_COMPONENTS = _deeds(_BY_COMPONENTS, _Things(f"{_DATA} {_FIGURES}", _OWNERS))
OF_FLOWS = _deeds(_BY_FLOWS, _OF_FLOWS)
ON_DATA = rf"(?=.*\b(?:{any_of(_DATA)})\b)"
"""That something in what follows is of software beyond doubt."""
