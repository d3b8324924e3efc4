"""Hypothesis profiles, loaded by ``-p tests.plugins`` before any test module.

``HYPOTHESIS_PROFILE`` picks one: ``default`` at the desk, ``ci`` (the same each time, so that
a red run can be repeated), ``deep`` for a long search. Without it, ``CI`` in the environment
means ``ci``.
"""

import os

from hypothesis import HealthCheck, settings

# A shared two-core machine stalls now and then: slow is no failure of a property.
_PATIENT = [HealthCheck.too_slow]

settings.register_profile(
    "default", max_examples=100, deadline=None, suppress_health_check=_PATIENT
)
settings.register_profile(
    "ci",
    settings.get_profile("default"),
    derandomize=True,
    database=None,
    print_blob=True,
)
settings.register_profile("deep", settings.get_profile("default"), max_examples=10_000)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default")
)
