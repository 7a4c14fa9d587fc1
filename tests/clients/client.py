"""Drives `holm serve` with the official Python SDK.

Usage: client.py legacy|2026-07-28 stdio HOLM PROJECT HOLE
       client.py legacy|2026-07-28 http URL TOKEN PROJECT HOLE

The project has the tools of `tests/end_to_end/mcp/clients.rs`; HOLE is a URL that takes a
request and never answers. Ends with an error at the first thing that is not as it should be.
"""

import asyncio
import pathlib
import sys

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp import types
from mcp.client.streamable_http import streamable_http_client

REFUSAL = '{"success":false,"error":"tool not permitted by skill policy"}'
FIVE = ["echo", "fetch", "order", "relay", "status"]
NEW = '(define-tool status (description "New") (parameters \'()) (execute (lambda (args) "reloaded")))\n'


def text(result):
    return result.content[0].text


def check(condition, what):
    if not condition:
        raise SystemExit(f"not as it should be: {what}")


async def main():
    mode, way, *rest = sys.argv[1:]
    answers = []
    changed = anyio.Event()

    async def answer(context, params):
        answers.append(params.message)
        return types.ElicitResult(action="accept" if len(answers) == 1 else "decline", content={})

    async def message(incoming):
        if type(incoming).__name__ == "ToolListChangedNotification" or "list_changed" in str(getattr(incoming, "method", "")):
            changed.set()

    async with anyio.create_task_group() as group:
        if way == "stdio":
            holm, project, hole = rest
            server = StdioServerParameters(command=holm, args=["serve", "--skill", "five"], cwd=project)
        else:
            url, token, project, hole = rest
            http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120)
            server = streamable_http_client(url, http_client=http)
        async with Client(
            server, mode=mode, elicitation_callback=answer, message_handler=message, cache=None
        ) as client:
            version = client.protocol_version
            check(version == ("2025-11-25" if mode == "legacy" else mode), f"version {version}")
            listed = await client.list_tools()
            check([tool.name for tool in listed.tools] == FIVE, [tool.name for tool in listed.tools])

            result = await client.call_tool("echo", {"any": "hello"})
            check(not result.is_error and 'result: (("any" . "hello"))' in text(result), result)
            check(result.structured_content["result"] == '(("any" . "hello"))', result)

            for name in ("other_100", "nobody"):
                refused = await client.call_tool(name, {})
                check(refused.is_error and text(refused) == REFUSAL, refused)
            wrong = await client.call_tool("relay", {"tool": 1})
            check(wrong.is_error and "`tool` must be a string, got 1" in text(wrong), wrong)
            try:
                await client.list_tools(cursor="junk")
                check(False, "a junk cursor was accepted")
            except MCPError as error:
                check(error.error.code == -32602, error)

            first = await client.call_tool("order", {"side": "buy"})
            check(text(first).startswith("result: ordered"), first)
            second = await client.call_tool("order", {"side": "buy"})
            check(text(second) == "Permission denied: permission denied", second)
            check(answers == ["[order] buy"] * 2, answers)

            progressed = anyio.Event()

            async def progress(done, total, message):
                progressed.set()

            with anyio.move_on_after(120) as scope:
                async with anyio.create_task_group() as calls:

                    async def cancel():
                        await progressed.wait()
                        while not (pathlib.Path(project) / "reached").exists():
                            await anyio.sleep(0.02)
                        calls.cancel_scope.cancel()

                    calls.start_soon(cancel)
                    await client.call_tool("fetch", {"target": hole}, progress_callback=progress)
            check(not scope.cancelled_caught and progressed.is_set(), "the call was not cancelled")

            file = pathlib.Path(project) / "tools" / "status.scm"
            if mode != "legacy":
                async with client.listen(tools_list_changed=True) as events:
                    file.write_text(NEW)
                    async for _ in events:
                        break
            else:
                file.write_text(NEW)
                with anyio.fail_after(120):
                    await changed.wait()
            listed = await client.list_tools()
            check([tool.description for tool in listed.tools if tool.name == "status"] == ["New"], listed)
            check(text(await client.call_tool("status", {})).startswith("result: reloaded"), "reloaded")
        group.cancel_scope.cancel()
    print("python sdk: all as it should be", mode, way)


asyncio.run(main())
