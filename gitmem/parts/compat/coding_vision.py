"""``VisionAnalyzer``: reads a picture with a vision model."""

import warnings
from typing import TYPE_CHECKING, Any

from gitmem.errors import GitmemError
from gitmem.parts.compat.shared import awaited, opened

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve, Estimate
    from gitmem.llm.modelled import Modelled
    from gitmem.memory import Memory


class VisionAnalyzer:
    """Asks the model of ``llm.vision_model`` about pictures.

    Args: model: another model than that of the settings. auto_approve: approve what each
    call costs; the month's budget holds in any case. Without it, calls above
    ``llm.cost_threshold`` are refused: this is not a terminal, so nobody could confirm.
    folder: any folder of the repository.

    """

    def __init__(self, model: str = "", *, auto_approve: bool = False, folder: str = ".") -> None:
        self.model = model
        self.auto_approve = auto_approve
        self._folder = folder

    async def analyze_error_screenshot(self, image_path: str) -> dict[str, Any]:
        """Give what the picture says of the error, and a suspected cause.

        That is ``error_type``, ``message``, ``file``, ``line``, ``key_frames``, ``visible_code``,
        ``suspected_cause`` and ``confidence``; ``machine_made`` and ``origin`` mark all answers.
        """
        return await awaited(self._look, image_path, "error")

    async def analyze_architecture_diagram(self, image_path: str) -> dict[str, Any]:
        """Give ``components``, ``connections``, ``architecture_pattern`` and ``notes``."""
        return await awaited(self._look, image_path, "diagram")

    async def extract_code(self, image_path: str) -> dict[str, Any]:
        """Give ``language``, ``file``, ``code`` and what is ``unreadable``."""
        return await awaited(self._look, image_path, "code")

    def _look(self, path: str, what: str) -> dict[str, Any]:
        settings = {"llm.vision_model": self.model} if self.model else None
        with opened(self._folder, settings) as memory:
            model_answer = memory.models.look(
                path, what, self._approve if self.auto_approve else None
            )
            answer = {
                name: getattr(model_answer.answer, name)
                for name in model_answer.answer.__struct_fields__
            }
            return {**answer, "machine_made": True, "origin": model_answer.origin}

    @staticmethod
    def _approve(_: "Estimate") -> bool:
        return True


def seen_by(
    memory: "Memory", model: str, screenshot: str, approve: "Approve | None"
) -> "Modelled | None":
    """Give what the model that was chosen says of an error's screenshot.

    Without its answer the error is recorded all the same: a RuntimeWarning says why there is none.
    """
    try:
        return memory.models.look(screenshot, "error", approve)
    except GitmemError as trouble:
        hint = f" ({trouble.hint})" if trouble.hint else ""
        text = f"gitmem: the screenshot was not read by {model}: {trouble.message}{hint}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
        return None
