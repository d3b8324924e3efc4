"""What a mask says that it needs is in every text that it masks."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.matching.masks import QUOTES, STRUCTURE, VALUES, MaskRule
from tests.depth import amount, deep

RULES = (*STRUCTURE, *QUOTES, *VALUES)
ASCII = st.characters(min_codepoint=0, max_codepoint=127)


@deep
@pytest.mark.parametrize("rule", RULES, ids=[f"{at}-{r.name}" for at, r in enumerate(RULES)])
@settings(max_examples=amount(share=12, ci=40, whole=400), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_text_without_what_a_mask_needs_is_not_masked(
    rule: MaskRule, data: st.DataObject
) -> None:
    assert rule.needs
    if rule.needs.isascii():
        compiled = re.compile(rule.pattern.pattern, rule.pattern.flags)
        text = data.draw(st.from_regex(compiled, alphabet=ASCII))
        assert rule.pattern.search(text)
        assert not set(rule.needs).isdisjoint(text)
    else:  # the signs are not ASCII: no ASCII text may match
        assert not rule.pattern.search(data.draw(st.text(ASCII)))
