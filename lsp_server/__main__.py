"""``python -m lsp_server``."""

from lsp_server.serving import serve

if __name__ == "__main__":
    serve()
