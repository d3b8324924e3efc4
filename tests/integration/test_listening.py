"""How ``gitmem serve`` listens."""

import asyncio
import socket

from gitmem.serve.serving import listening


def test_an_answer_is_sent_without_waiting_for_more_of_it() -> None:
    """Else each answer on a kept connection is as late as the reader's confirmation: 40 ms."""

    async def accepted() -> int:
        met: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def meet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            door: socket.socket = writer.get_extra_info("socket")
            met.set_result(door.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listening(0) as door:
            async with await asyncio.start_server(meet, sock=door):
                _, writer = await asyncio.open_connection(*door.getsockname())
                writer.close()
                return await met

    assert asyncio.run(accepted())
