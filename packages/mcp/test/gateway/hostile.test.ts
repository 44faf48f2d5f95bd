// test: slow, harm
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerEntry } from '../../src/index.ts';
import { Watch } from '../server/watch.test-support.ts';
import {
  fixtureEntry,
  openClient,
  openGateway,
  StreamClient,
  type Way,
} from './scene.test-support.ts';

const limited = { timeout: 60_000 };
const EAGER = { mode: 'eager' } as const;
const answer = 'say({ id: message.id, result: { content: [], fine: true } });';
const named = 'message.params.name';
const TOOLS = "['fine', 'odd'].map((name) => ({ name, inputSchema: { type: 'object' } }))";

/** What a server does when its tool `odd` is called, and what the client gets. */
interface Case {
  readonly call: string;
  readonly before?: string;
  readonly tools?: string;
  readonly gets: RegExp;
}

/** Servers that do not keep to the protocol. Another call of the same client is not affected. */
const servers: Readonly<Record<string, Case>> = {
  'dies in the call': { call: 'process.exit(1);', gets: /outcome of the call of odd is unknown/ },
  'is killed in the call': {
    call: "process.kill(process.pid, 'SIGKILL');",
    gets: /outcome of the call of odd is unknown/,
  },
  'prints rubbish before the answer': {
    call: `console.log('{"jsonrpc":'); console.log('\\u0000 rubbish'); console.log('[]'); console.log('null'); ${answer}`,
    gets: /"fine":true/,
  },
  'answers other requests that nobody sent': {
    call: `for (const id of [null, 'x', 9999, {}]) say({ id, result: {} }); ${answer}`,
    gets: /"fine":true/,
  },
  'answers twice': {
    call: `${answer} say({ id: message.id, result: { content: [], fine: false } });`,
    gets: /"fine":true/,
  },
  'sends a thousand notices': {
    call: `for (let n = 0; n < 1000; n++) {
      say({ method: 'notifications/message', params: { level: 'info', data: n } });
      say({ method: 'notifications/progress', params: { progressToken: n, progress: n } });
      say({ method: 'notifications/none' }); say({ method: 'notifications/resources/updated' });
    } ${answer}`,
    gets: /"fine":true/,
  },
  'asks for what nobody can do': {
    call: `say({ id: 'q', method: 'none/such', params: {} }); say({ id: 'r', method: 'sampling/createMessage' }); ${answer}`,
    gets: /"fine":true/,
  },
  'answers with a number': { call: 'say({ id: message.id, result: 5 });', gets: /error|isError/ },
  'answers with an error that is a text': {
    call: "say({ id: message.id, error: 'no' });",
    gets: /error|isError/,
  },
  'answers with result and error': {
    call: "say({ id: message.id, result: { content: [] }, error: { code: 1, message: 'no' } });",
    gets: /error|result/,
  },
  'lists tools that are none': {
    tools: `[null, 5, { name: 7 }, { name: 'odd', inputSchema: 'none' }, { name: 'fine', inputSchema: { type: 'object' } },
      { name: 'fine', inputSchema: { type: 'object' } }, { name: '__proto__', inputSchema: { type: 'object' } }]`,
    call: answer,
    gets: /fine|error|isError/,
  },
};

for (const [name, { call, before = '', tools = TOOLS, gets }] of Object.entries(servers))
  test(`a server that ${name}`, limited, async (context) => {
    const watch = await Watch.begin(context);
    const odd = await watch.entry({
      ...{ before, tools },
      call: `if (${named} === 'fine') { ${answer} return; } ${call}`,
    });
    const fixture = await fixtureEntry(context, 'legacy');
    const gateway = openGateway(context, { odd, fixture }, EAGER);
    const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
    const other = client.call('fixture__progress');
    assert.match(JSON.stringify(await client.call('odd__odd')), gets);
    assert.match(JSON.stringify(await other), /done/);
    assert.equal((await client.call('odd__fine')).result?.fine, true);
  });

/** A client that writes what it likes. */
class RudeClient extends StreamClient {
  write(text: string): void {
    this.input.write(text);
  }
}

/** Lines that are no requests, and the code of their answer, if they have one. */
const lines: readonly (readonly [string, number | undefined])[] = [
  ['{"jsonrpc":', -32700],
  ['\u0000\u0001', -32700],
  ['null', -32600],
  ['[]', -32600],
  ['[{"jsonrpc":"2.0","id":70,"method":"ping"}]', -32600],
  ['{"id":1,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ['{"jsonrpc":"2.0","id":"never-asked","result":{}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}', undefined],
  ['{"jsonrpc":"2.0","method":"notifications/none","params":5}', undefined],
  ['', undefined],
];

test(
  'a client that writes what is no request gets an error, and its calls go on',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const client = new RudeClient(gateway, { era: 'legacy' });
    context.after(() => client.close());
    await client.begin();
    const { answer: slow } = client.start('tools/call', {
      name: 'fixture__progress',
      arguments: {},
    });
    const errors: unknown[] = [];
    const { receive } = client as unknown as {
      receive(message: { id?: unknown; error?: { code: number } }): void;
    };
    Object.assign(client, {
      receive(message: { id?: unknown; error?: { code: number } }) {
        if (message.id === null) errors.push(message.error?.code);
        else receive.call(client, message);
      },
    });
    for (const [line] of lines) client.write(`${line}\n`);
    client.write('{"jsonrpc":"2.0","method":"notifi');
    client.write('cations/none"}\n');
    await client.request('ping');
    assert.deepEqual(
      errors,
      lines.flatMap(([, code]) => code ?? []),
    );
    assert.match(JSON.stringify(await slow), /done/);
  },
);

test(
  'two eras on one connection: each request is answered in its own',
  limited,
  async (context) => {
    const gateway = openGateway(context, { fixture: await fixtureEntry(context, 'legacy') }, EAGER);
    const client = new StreamClient(gateway, { era: 'legacy' });
    context.after(() => client.close());
    await client.begin();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const [old, modern] = await Promise.all([
      client.call('fixture__count'),
      client.call('fixture__count', {}, { _meta }),
    ]);
    assert.equal(old.result?.resultType, undefined);
    assert.equal(modern.result?.resultType, 'complete');
  },
);

for (const way of ['stdio', 'http'] as const satisfies readonly Way[])
  test(
    `over ${way}, calls finish while the configuration changes around them`,
    limited,
    async (context) => {
      const fixture = await fixtureEntry(context, 'legacy', way);
      const next = await fixtureEntry(context, 'legacy');
      assert.ok(next.kind === 'stdio');
      const other = { ...next, env: new Map([['OTHER', '1']]) };
      const gateway = openGateway(context, { fixture, other }, EAGER);
      const update = (servers: Record<string, ServerEntry>): Promise<void> =>
        gateway.update({ servers: new Map(Object.entries(servers)), settings: undefined });
      const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
      for (const name of ['fixture', 'other']) await client.call(`${name}__count`);
      const running = ['fixture', 'other'].map((name) => client.call(`${name}__progress`));
      await client.call('other__count');
      await update({ fixture });
      assert.match(JSON.stringify(await client.call('other__count')), /Unknown tool/);
      for (const call of running) assert.match(JSON.stringify(await call), /done/);
      // Each gets the name of the other one.
      await update({ other: fixture, fixture: other });
      assert.match(JSON.stringify(await client.call('fixture__count')), /"1"/);
      assert.match(JSON.stringify(await client.call('other__count')), /"1"/);
    },
  );
