// Drives `holm serve` with the official TypeScript SDK, on the versions of the protocol that have
// a session.
//
// Usage: client.mjs stdio HOLM PROJECT HOLE
//        client.mjs http URL TOKEN PROJECT HOLE
//
// As client.py: it ends with an error at the first thing that is not as it should be.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const REFUSAL = '{"success":false,"error":"tool not permitted by skill policy"}';
const FIVE = ["echo", "fetch", "order", "relay", "status"];
const NEW = `(define-tool status (description "New") (parameters '()) (execute (lambda (args) "reloaded")))\n`;
const PATIENCE = { timeout: 120_000 };

const [way, ...rest] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
const text = (result) => result.content[0].text;

const answers = [];
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  answers.push(params.message);
  return { action: answers.length === 1 ? "accept" : "decline", content: {} };
});
const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));

let transport, project, hole;
if (way === "stdio") {
  let holm;
  [holm, project, hole] = rest;
  transport = new StdioClientTransport({ command: holm, args: ["serve", "--skill", "five"], cwd: project, env: process.env });
} else {
  let url, token;
  [url, token, project, hole] = rest;
  const nobody = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: "Bearer wrong" } } });
  await assert.rejects(new Client({ name: "test", version: "1" }).connect(nobody), "a wrong token was accepted");
  transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
}
await client.connect(transport);
assert.equal(client.getServerVersion().name, "holm");
assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), FIVE);

const result = await client.callTool({ name: "echo", arguments: { any: "hello" } });
assert.ok(!result.isError && text(result).startsWith('result: (("any" . "hello"))'), text(result));
for (const name of ["other_100", "nobody"]) {
  const refused = await client.callTool({ name, arguments: {} });
  assert.ok(refused.isError);
  assert.equal(text(refused), REFUSAL);
}
const wrong = await client.callTool({ name: "relay", arguments: { tool: 1 } });
assert.ok(wrong.isError && text(wrong).includes("`tool` must be a string, got 1"), text(wrong));
await assert.rejects(client.listTools({ cursor: "junk" }), (error) => error.code === -32602);

const order = () => client.callTool({ name: "order", arguments: { side: "buy" } }, undefined, PATIENCE);
assert.ok(text(await order()).startsWith("result: ordered"));
assert.equal(text(await order()), "Permission denied: permission denied");
assert.deepEqual(answers, ["[order] buy", "[order] buy"]);

const abort = new AbortController();
const hanging = client.callTool({ name: "fetch", arguments: { target: hole } }, undefined, {
  ...PATIENCE,
  signal: abort.signal,
  onprogress: async () => {
    while (!existsSync(join(project, "reached"))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    abort.abort("enough");
  },
});
await assert.rejects(hanging);

writeFileSync(join(project, "tools", "status.scm"), NEW);
await changed;
const listed = (await client.listTools()).tools;
assert.equal(listed.find((tool) => tool.name === "status").description, "New");
assert.ok(text(await client.callTool({ name: "status", arguments: {} })).startsWith("result: reloaded"));
await client.close();
console.log("typescript sdk: all as it should be", way);
process.exit(0);
