"""``run_lesson.py WEBSOCKET LESSON``: run the code cells of a lesson in a kernel of a started server.

Runs inside the image, whose JupyterLab brings tornado. Says how many cells ran; ends with an error where one fails.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from pathlib import Path
from typing import Any


async def run(address: str, cells: list[str]) -> None:
    """Run the cells one by one."""
    from tornado.httpclient import HTTPRequest
    from tornado.websocket import websocket_connect

    socket = await websocket_connect(HTTPRequest(address, connect_timeout=60, request_timeout=60))
    for code in cells:
        asked = uuid.uuid4().hex
        header = {"msg_id": asked, "msg_type": "execute_request", "username": "", "session": "s", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
        question = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        await socket.write_message(json.dumps(question))
        while True:
            said: asyncio.Future[Any] = asyncio.ensure_future(socket.read_message())
            message = await asyncio.wait_for(said, 120)
            if isinstance(message, bytes):  # what a widget brings the page; an answer to code is text
                continue
            reply = json.loads(message)
            if reply["parent_header"].get("msg_id") != asked or reply["msg_type"] != "execute_reply":
                continue
            if reply["content"]["status"] != "ok":
                sys.exit(f"{code}\n{reply['content']}")
            break


if __name__ == "__main__":
    lesson = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in lesson["cells"] if cell["cell_type"] == "code"]
    asyncio.run(run(sys.argv[1], code))
    print(len(code))
