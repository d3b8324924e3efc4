"""protoc: what the compiler of Protocol Buffers says of a file, each fault in a line."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "protoc",
    order=422,
    language="protobuf",
    output=ToolOutput(
        words=(".proto:",),
        parse=faults_of(
            "protoc",
            "protobuf",
            r"(?P<file>[^\s:][^:\n]{0,300}\.proto):(?:(?P<line>\d{1,7}):(?P<column>\d{1,5}):)? "
            r"(?P<level>warning: )?(?P<message>\S.*)$",
        ),
    ),
    command=ToolCommand(programs=("protoc",), comparable=True),
    files=ToolFiles(generated=("*_pb2.py", "*_pb2_grpc.py", "*.pb.go", "*.pb.cc", "*.pb.h")),
)
