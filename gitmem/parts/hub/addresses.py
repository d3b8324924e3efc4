"""Addresses of repositories, in whichever form git takes them."""


def bare_address(url: str) -> str:
    """Give host and path of an address, in whichever of its forms it is."""
    address = url.partition("://")[2] or url
    head, slash, rest = address.partition("/")
    host = head.rpartition("@")[2]
    if "://" not in url and ":" in host:  # git@host:path
        name, _, folder = host.partition(":")
        host, rest = name, f"{folder}{slash}{rest}"
    else:
        host = host.partition(":")[0]
    return f"{host}/{rest}".casefold().removesuffix("/").removesuffix(".git")
