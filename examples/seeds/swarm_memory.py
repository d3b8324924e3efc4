"""Two tasks of a swarm: the second one finds what the first one's winner taught."""

import asyncio

from gitmem.compat.swarm import (
    episodic_memory,
    knowledge_base,
    pattern_extractor,
    persistent_memory,
)

CAUTIOUS = '''\
def parse_port(text):
    """Read a port number."""
    try:
        return int(text)
    except ValueError as error:
        raise SystemExit(f"not a port: {text}") from error
'''
HASTY = "def parse_port(text):\n    return int(text.split(':')[1])\n"


def verified(code: str) -> str:
    """Run a candidate on real input; give the error, or nothing."""
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102  the candidates above
    parse = names["parse_port"]
    try:
        assert callable(parse)
        return "" if parse("8080") == 8080 else "AssertionError: wrong port"
    except Exception as error:  # noqa: BLE001  whatever the candidate raises
        return f"{type(error).__name__}: {error}"


async def solve(task: str, candidates: list[str]) -> None:
    """Recall, generate, verify, learn from the winner."""
    episode = await episodic_memory.start_episode(task, {"priority": "high"})
    known = await persistent_memory.recall_similar_patterns(task, "python", 2)
    print("known patterns:", [pattern.title for pattern in known])
    winner, tried = "", 0
    for code in [*(pattern.content for pattern in known), *candidates]:
        trouble, tried = verified(code), tried + 1
        await episodic_memory.record_event(
            episode, "verification", "QA_SENTINEL", {"error": trouble or None}
        )
        if trouble:
            print("candidate fails:", trouble)
            await persistent_memory.store_error_resolution(
                trouble, task, "do not split what has no colon", success=False
            )
        else:
            winner = code
            break
    if winner:
        about = {"description": task, "language": "python"}
        kept = await pattern_extractor.extract_from_consensus({"score": 0.9}, winner, about)
        print("new patterns:", len(kept))
    await episodic_memory.end_episode(episode, success=bool(winner), metrics={"tried": tried})
    print("solved:", bool(winner))


async def main() -> None:
    """Fail once, solve it, and profit from that."""
    print("knowledge:", await knowledge_base.seed_initial_knowledge())
    await solve("parse a port number", [HASTY])
    await solve("parse a port number", [HASTY, CAUTIOUS])
    await solve("parse the port number of a server", [])
    for pattern in await episodic_memory.analyze_failures():
        print(f"went wrong: {pattern['error_type']}, {pattern['count']} x")


if __name__ == "__main__":
    asyncio.run(main())
