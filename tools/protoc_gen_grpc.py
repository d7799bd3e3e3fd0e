"""A protoc plugin for the gRPC stubs: grpcio-tools has that generator only inside its own protoc."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def generate(request: CodeGeneratorRequest, folder: Path) -> CodeGeneratorResponse:
    descriptors = folder / "descriptors.binpb"
    descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
    out = folder / "out"
    out.mkdir()
    files = [file.name for file in request.proto_file if file.service and file.name in request.file_to_generate]
    failed = protoc.main(["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}", *files])
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    if failed:
        response.error = f"protoc ended with {failed}"
    for file in sorted(out.rglob("*.py")):
        response.file.add(name=str(file.relative_to(out)), content=file.read_text())
    return response


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        answer = generate(CodeGeneratorRequest.FromString(sys.stdin.buffer.read()), Path(name))
    sys.stdout.buffer.write(answer.SerializeToString())
