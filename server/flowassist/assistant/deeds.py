"""What components and flows of this trade do, and to what: a closed vocabulary and the few ways to put it together.

Over lower-case English. Whatever is not in the vocabulary may be another product, another trade or the rest of
a complaint, so that no deed with an unknown word in it matches.
"""

import re
from collections.abc import Callable, Mapping

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
expressions factorial fahrenheit feed feeds fibonacci file files format frequency grammar greeting heading headings hour
hours initials integer integers interest invoice invoices ips item items kelvin key keys kilograms kilometers language
languages length letter letters line lines link links list lists log logarithm logs maximum mean median message messages
metadata meters miles minimum minute minutes month months name names news number numbers occurrences order orders
outliers page pages palindromes pattern patterns percent percentage percentages pii pounds prefix prices primality
primes product products profanity prompt prompts query question questions quote quotes rate rates readability receipt
receipts record records report reports response results review reviews row rows search separator similarity sitemap slug
slugs space spaces speech spelling sql stories story suffix sum summaries summary table tables tags time times title
titles token tokens tone topic topics total totals transcript transcripts typos unit units utc value values variance
version versions week weekday weekdays weeks xpath year years zeros zone zones {_LANGUAGES}
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
_LINKS = "of in into to from by with for on as at between within after before about against over than"
_NUMBERS = "one two three four five six seven eight nine ten n #"
_NUMBER = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,2})?")
_PARTS = re.compile(r"[^\s,]+|,")


class Grammar:
    """Phrases whose every word is known. `pattern` is a regular expression over words: `<role>` in it stands for any
    word of that role, "#" among the words of a role for any number. Its size does not grow with the vocabulary."""

    def __init__(self, pattern: str, roles: Mapping[str, str]) -> None:
        members = {role: frozenset(words.split()) for role, words in roles.items()}
        known = {
            word: frozenset(role for role, words in members.items() if word in words)
            for word in frozenset().union(*members.values())
        }
        signs = {played: chr(0xE000 + n) for n, played in enumerate(dict.fromkeys(known.values()))}
        self._signs = {word: signs[played] for word, played in known.items()}
        self._pattern = re.compile(
            re.sub(r"<(\w+)>", lambda found: f"[{''.join(signs[p] for p in signs if found[1] in p)}]", pattern)
        )

    def fits(self, text: str) -> bool:
        words = [word for part in _PARTS.findall(text) for word in self._words(part)]
        return all(word in self._signs for word in words) and bool(
            self._pattern.fullmatch("".join(self._signs[word] for word in words))
        )

    def _words(self, part: str) -> list[str]:
        """Of what a hyphen joins, the words, unless it is itself one."""
        if _NUMBER.fullmatch(part):
            return ["#"]
        return [part] if part in self._signs else part.split("-")


def _third(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"


def _gerund(verb: str) -> str:
    """Also with its last letter doubled."""
    stem = verb.removesuffix("e")
    return f"{stem}ing {stem}{stem[-1]}ing"


def _every(form: Callable[[str], str], verbs: str) -> str:
    return " ".join(map(form, verbs.split()))


_LIKE_VERBS = _every(_third, f"{_BY_COMPONENTS} {_BY_FLOWS} result output report request prompt link log post order")
_SPENT = "time minute minutes hour hours day days week weeks month months year years token tokens memory"
"""What is taken where something is slow or dear."""

_UNCOUNTED = "text email data time"


def _plural(noun: str) -> bool:
    return noun.endswith("s") and noun not in {"news", "address", "rss", "celsius"}


def _nouns(nouns: str) -> dict[str, str]:
    """Of two nouns only the last may be a plural, and none that a verb could be: in "reverses text returns ..." a
    complaint begins. What is counted in the singular needs an article, or else somebody searches: "parses JSON file".
    """
    known = nouns.split()
    return {
        "noun": nouns,
        "leading": " ".join(noun for noun in known if noun not in _QUALITIES.split() and not _plural(noun)),
        "bare": " ".join(noun for noun in known if noun in _UNCOUNTED.split() or _third(noun) not in known),
    }


_LEADING = "(?:<current>(?=<moment>))?(?:<quality>|<leading>(?!<verblike>))*"
_KNOWN = "<the>(?:<current><moment>|(?:<quality>|<leading>)*<data>|<noun>(?=<link>)|(?:<quality>|<leading>)+<noun>)"
"""Which one is meant has to be said, or it is one on somebody's screen: "loads the page"."""

_OWNED = f"(?:(?:<owner><number>?|<number>){_LEADING}<noun>|{_KNOWN})"
_ALONE = f"(?>{_OWNED}|{_LEADING}<bare>|<pronoun>)"
_LINKED = f"(?:(?!<within><number>)<link>(?>{_OWNED}|{_LEADING}<noun>|<pronoun>))*<manner>?"
_ALSO = f"(?:<comma>?<and>|<comma>){_ALONE}{_LINKED}"


_SMALL = {
    "quality": _QUALITIES,
    "verblike": _LIKE_VERBS,
    "spent": _SPENT,
    "number": _NUMBERS,
    "data": _DATA,
    "the": "the",
    "link": _LINKS,
    "within": "in",
    "current": "current",
    "moment": "weather time date",
    "pronoun": "it them",
    "that": "that which",
    "only": "simply only automatically",
    "to": "to",
    "for_": "for",
    "up": "up",
    "and": "and",
    "comma": ",",
    "then": "then",
    "manner": "alphabetically numerically randomly politely",
}


def _done(form: str) -> str:
    """One deed or several, their verbs in the same form, the first of them done to something."""
    verb = f"(?:<{form}>|<look_{form}><up>)"
    return (
        f"(?:<take_{form}>(?!.{{0,2}}<spent>){_ALONE}{_LINKED}(?>{_ALSO})*<comma>?<and>)?"
        f"{verb}(?=.){_ALONE}?{_LINKED}(?>(?:<comma>?<and>|<comma>)<then>?{verb}{_ALONE}?{_LINKED}|{_ALSO})*"
    )


def _deeds(verbs: str, nouns: str, owners: str) -> Grammar:
    forms: dict[str, Callable[[str], str]] = {"does": _third, "do": str, "doing": _gerund}
    pattern = f"<that><only>?{_done('does')}|<to>{_done('do')}|<for_>{_done('doing')}"
    roles = {form: _every(told, verbs) for form, told in forms.items()}
    roles |= {f"{verb}_{form}": told(verb) for verb in ("look", "take") for form, told in forms.items()}
    return Grammar(pattern, _SMALL | _nouns(nouns) | roles | {"owner": owners})


_OWNERS = "a an all each every any some both its their"
OF_COMPONENTS = _deeds(_BY_COMPONENTS, f"{_DATA} {_FIGURES}", _OWNERS)
OF_FLOWS = _deeds(_BY_FLOWS, f"{_DATA} {_FIGURES} {_TOPICS}", f"{_OWNERS} the my our")


def on_data(text: str) -> bool:
    """Whether something in `text` is of software beyond doubt."""
    return not set(_DATA.split()).isdisjoint(text.split())
