"""Parameters that several tools take, as assistants read them."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from gitmem.mcp.arguments import Texts
from gitmem.mcp.calls import Data

Count = Annotated[int, Field(ge=1, le=50, description="how many at most")]
Budget = Annotated[int, Field(ge=0, description="most tokens of the answer")]
Project = Annotated[str, Field(description="name of an open folder, if several")]
ProjectId = Annotated[str, Field(description="name of an open folder")]
UserId = Annotated[str, Field(description="ignored")]
Files = Annotated[Texts, Field(description="files it is about")]
Tags = Annotated[Texts, Field(description="words to find it by")]
Symptom = Annotated[str, Field(description="what one sees")]
Cause = Annotated[str, Field(description="why it happens")]
AskedAs = Annotated[str, Field(description="questions that it answers, a line each")]
Result = Annotated[CallToolResult, Data]
