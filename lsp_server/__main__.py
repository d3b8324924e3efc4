"""``python -m lsp_server``."""

from lsp_server.server import serve

if __name__ == "__main__":
    serve()
