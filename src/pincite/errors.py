"""Every exception that Pincite raises on purpose.

PinciteError                the base: catch this to catch them all
├── InputError              what was given cannot be used: says what, where, and what to do
│   ├── ConfigError         a setting is unknown or has a wrong value
│   ├── SourceError         a source cannot be read at all
│   ├── PayloadError        a provider's response is not of the shape it should be
│   └── TooLargeError       an answer or a source is over its limit
├── MissingExtraError       an optional library is needed and not installed
├── JudgeError              a judge could not be started
├── UnjudgedError           nothing could be judged, where a framework takes only a number
├── StoreError              the history of runs cannot be read or written: says why, and what to do
│   └── StorePlaceError     not a usable run history
└── CitationProblems        `Report.assert_ok()` found errors (also an AssertionError)
"""

from __future__ import annotations


class PinciteError(Exception):
    """The base of every exception that Pincite raises on purpose."""


class InputError(PinciteError, ValueError):
    """What was given cannot be used."""


class ConfigError(InputError):
    """A setting is unknown or has a wrong value."""


class SourceError(InputError):
    """A source cannot be read."""


class PayloadError(InputError):
    """A provider's response is not of the shape it should be."""


class TooLargeError(InputError):
    """An answer or a source is over its limit."""


class MissingExtraError(PinciteError, ImportError):
    """An optional library is needed and not installed; the message says how to install it."""


class JudgeError(PinciteError):
    """A judge could not be started."""


class UnjudgedError(PinciteError):
    """Nothing of an answer could be judged, and whoever asked takes no less than a number."""


class StoreError(PinciteError):
    """The history of runs cannot be read or written."""


class StorePlaceError(StoreError):
    """Not a usable run history: a folder, another program's file, or one without rights."""


class CitationProblems(PinciteError, AssertionError):
    """An answer has citation errors."""
