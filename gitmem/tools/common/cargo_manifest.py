"""What a manifest of cargo says."""

from collections.abc import Mapping
from typing import Any


def read(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read ``Cargo.toml``."""
    package = data.get("package", {})
    libraries = [*data.get("dependencies", {}),
                 *data.get("workspace", {}).get("dependencies", {}),
                 *data.get("dev-dependencies", {}),
                 *data.get("build-dependencies", {})]  # fmt: skip
    stated = package.get("description", ""), package.get("rust-version", package.get("edition", ""))
    # A member may take both from its workspace; a table stands there then.
    about, wants = (field if isinstance(field, str) else "" for field in stated)
    return {"name": package.get("name", ""), "about": about, "wants": wants,
            "libraries": libraries,
            "declared": [name.replace("-", "_") for name in libraries]}  # fmt: skip
