"""What other rooms may use of `core.limits`."""

from .compliance import check_values as check_values
from .compliance_question import (
    subject_words as subject_words,
    values_in_question as values_in_question,
)
from .figures import (
    WrittenNumber as WrittenNumber,
    articles_in as articles_in,
    find_figures as find_figures,
)
from .limits import find_limits as find_limits
from .quantities import (
    AMOUNT_NOUNS as AMOUNT_NOUNS,
    AMOUNTS as AMOUNTS,
    UNITS as UNITS,
    Quantity as Quantity,
    amount_keys as amount_keys,
    find_quantities as find_quantities,
    remove_quantities as remove_quantities,
)
from .sentences import (
    alphanumeric_only as alphanumeric_only,
    split_sentences as split_sentences,
)
from .stems import (
    MIN_COVERAGE as MIN_COVERAGE,
    content_words as content_words,
    coverage as coverage,
    fold_accents as fold_accents,
    stem_words as stem_words,
)
from .verdicts import Verdict as Verdict, overall_verdict as overall_verdict
from .vocabulary import (
    VOCABULARY as VOCABULARY,
    any_word as any_word,
    list_words as list_words,
)
