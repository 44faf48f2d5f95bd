import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Json } from '../../test/gateway/raw-server.test-support.ts';
import { fixtureEntry, openGateway } from '../../test/gateway/scene.test-support.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { serveStreams } from './stdio.ts';

const limited = { timeout: 60_000 };

const HANDSHAKE = {
  ...{ jsonrpc: '2.0', id: 'begin', method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {}, roots: {} } },
};

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

const request = (id: number, method: string, params: Json = {}): Json => ({
  ...{ jsonrpc: '2.0', id, method, params },
});

const call = (id: number, name: string, args: Json = {}): Json =>
  request(id, 'tools/call', { name: `fixture__${name}`, arguments: args });

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const ASK = { questions: { first: { method: 'elicitation/create', params: FORM } } };

/** Everything that the gateway writes to a client that writes this and closes its end. */
async function piped(gateway: Gateway, written: string): Promise<Json[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const read = text(output);
  input.end(written);
  await serveStreams(gateway, input, output, new AbortController().signal);
  output.end();
  return (await read)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
}

// Less than the last time of requests that nothing ends.
const soon = { timeout: 20_000 };

test('what was asked before the end of stdin is answered', soon, async (context) => {
  const fixture = await fixtureEntry(context, 'legacy', 'http');
  const gateway = openGateway(context, { fixture }, { mode: 'eager' });
  const enveloped = ({ id, method, params }: Json): Json =>
    request(id as number, String(method), { ...(params as Json), _meta: ENVELOPE });
  const messages: readonly Json[] = [
    HANDSHAKE,
    request(1, 'tools/list'),
    call(2, 'progress'),
    call(3, 'ask', ASK),
    request(4, 'resources/read', { uri: 'fixture://page/1' }),
    enveloped(call(5, 'ask', ASK)),
    enveloped(request(6, 'subscriptions/listen', { notifications: { toolsListChanged: true } })),
  ];
  // The last line has no end.
  const lines = messages.map((message) => JSON.stringify(message)).join('\n');
  const answers = await piped(gateway, lines);
  const said = (id: unknown): string =>
    JSON.stringify(answers.find((answer) => answer.id === id && answer.method === undefined) ?? {});
  assert.match(said('begin'), /protocolVersion/);
  assert.match(said(1), /fixture__progress/);
  assert.match(said(2), /done/);
  assert.match(said(3), /closed its end/, 'nobody can answer, and the call goes on');
  assert.match(said(4), /text of fixture:\/\/page\/1/);
  assert.match(said(5), /input_required/);
});

test('the end of stdin without requests is the end', limited, async (context) => {
  const gateway = openGateway(context, {}, { mode: 'eager' });
  assert.deepEqual(await piped(gateway, ''), []);
  const [answer] = await piped(gateway, '{"jsonrpc"');
  assert.match(JSON.stringify(answer), /-32700/);
});
