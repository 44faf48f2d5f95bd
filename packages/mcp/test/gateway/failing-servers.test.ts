// test: slow
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Watch } from '../server/watch.test-support.ts';
import type { Answer, RawClient } from './raw-client.test-support.ts';
import type { Era } from './raw-server.test-support.ts';
import { openClient, openGateway, type Way } from './scene.test-support.ts';

const limited = { timeout: 60_000 };

const ELICIT = "{ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }";

/** A server that says which process it is, and can be killed in each state. */
const SOURCE = {
  tools:
    "['pid', 'wait', 'ask', 'fine'].map((name) => ({ name, inputSchema: { type: 'object' } }))",
  call: `const { id, params } = message;
    const text = (value) => say({ id, result: { content: [{ type: 'text', text: String(value) }] } });
    if (params.name === 'pid') text(process.pid);
    if (params.name === 'fine') text('fine');
    if (params.name === 'wait') alive.write('waiting');
    if (params.name === 'ask') say({ id: 'q', method: 'elicitation/create', params: ${ELICIT} });`,
};

interface Scene {
  readonly client: RawClient;
  readonly watch: Watch;
  /** Resolves when the client is asked in its handshake's way. */
  readonly asked: Promise<void>;
  kill(): void;
}

async function open(context: TestContext, era: Era, way: Way): Promise<Scene> {
  const watch = await Watch.begin(context);
  const servers = { odd: await watch.entry(SOURCE), other: await watch.entry(SOURCE) };
  const gateway = openGateway(context, servers, { mode: 'eager' });
  const asked = Promise.withResolvers<void>();
  const answer = (): never => {
    asked.resolve();
    // Nobody answers.
    return new Promise(() => {}) as never;
  };
  const capabilities = { elicitation: {} };
  const client = await openClient(context, gateway, way, { era, capabilities, answer });
  const pid = Number(/"text":"(\d+)"/.exec(JSON.stringify(await client.call('odd__pid')))?.[1]);
  assert.ok(pid > 0);
  return { client, watch, asked: asked.promise, kill: () => process.kill(pid, 'SIGKILL') };
}

/** What a client gets for its call of a server that is killed meanwhile. */
const states: Readonly<Record<string, (scene: Scene, era: Era) => Promise<Answer>>> = {
  'in a call': async ({ client, watch, kill }) => {
    const said = watch.said();
    const answer = client.call('odd__wait');
    await said;
    kill();
    return answer;
  },
  'while its question is open': async ({ client, asked, kill }, era) => {
    const params = { name: 'odd__ask', arguments: {} };
    const answer = client.request('tools/call', params);
    if (era === 'legacy') {
      await asked;
      kill();
      return answer;
    }
    const { requestState, inputRequests } = (await answer).result ?? {};
    kill();
    const [key = ''] = Object.keys(inputRequests as object);
    const inputResponses = { [key]: { action: 'decline' } };
    return client.request('tools/call', { ...params, requestState, inputResponses });
  },
};

for (const era of ['legacy', 'modern'] as const)
  for (const way of ['stdio', 'http'] as const)
    for (const [when, reach] of Object.entries(states))
      test(
        `a server is killed ${when}, with a ${era} client over ${way}`,
        limited,
        async (context) => {
          const scene = await open(context, era, way);
          const { client, watch } = scene;
          const waiting = watch.said();
          const other = client.start('tools/call', { name: 'other__wait', arguments: {} });
          await waiting;
          const answer = await reach(scene, era);
          assert.equal(answer.result?.isError, true, JSON.stringify(answer));
          assert.match(JSON.stringify(answer), /outcome of the call of \w+ is unknown/);
          assert.match(JSON.stringify(await client.call('odd__fine')), /"fine"/);
          assert.match(JSON.stringify(await client.call('other__fine')), /"fine"/);
          client.cancel(other.id);
        },
      );

/** Servers that fail again and again, and what their call and the list say of them. */
interface Failing {
  readonly before?: string;
  readonly tools?: string;
  readonly call?: string;
  /** What the calls of `odd`, one after another, get. */
  readonly gets: readonly RegExp[];
  /** What the catalog says afterwards. */
  readonly lists: RegExp;
}

const ODD = "[{ name: 'odd', inputSchema: { type: 'object' } }]";
const answer = "say({ id: message.id, result: { content: [{ type: 'text', text: 'fine' }] } });";

/** A server that writes a line all the time, and a thousand before each answer. */
const babbling = (line: string): Failing => ({
  before: `const babble = () => console.log(${line}); setInterval(babble, 5);`,
  tools: ODD,
  call: `for (let n = 0; n < 1000; n++) babble(); ${answer}`,
  gets: [/"fine"/, /"fine"/],
  lists: /odd__ \(1\)/,
});

const failing: Readonly<Record<string, Failing>> = {
  'exits at its start': {
    before: "console.error('No key is set.'); process.exit(3);",
    gets: [/isError.*|error.*/, /isError.*|error.*/],
    lists: /odd__ \(unavailable: .*No key is set\./,
  },
  'exits after each second call': {
    tools: ODD,
    call: `call.count = (call.count ?? 0) + 1; if (call.count === 2) process.exit(1); ${answer}`,
    gets: [/"fine"/, /outcome of the call of odd is unknown/, /"fine"/, /outcome .* is unknown/],
    lists: /odd__ \(1\)/,
  },
  'lists a tool that it does not have': {
    tools: ODD,
    call: "say({ id: message.id, error: { code: -32602, message: 'No such tool' } });",
    gets: [/-32602.*No such tool/],
    lists: /odd__ \(1\)/,
  },
  'announces changes all the time': babbling(
    `'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'`,
  ),
  'logs all the time': babbling(
    `'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}'`,
  ),
  'prints what is no message all the time': babbling("'Debug: {'"),
};

for (const [name, { gets, lists, ...source }] of Object.entries(failing))
  test(`a server that ${name}, beside another one`, limited, async (context) => {
    const watch = await Watch.begin(context);
    const servers = { odd: await watch.entry(source), other: await watch.entry(SOURCE) };
    const gateway = openGateway(context, servers);
    const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
    for (const expected of gets) {
      assert.match(JSON.stringify(await client.call('odd__odd')), expected);
      assert.match(JSON.stringify(await client.call('other__fine')), /"fine"/);
    }
    const { result } = await client.request('tools/list');
    const catalog = JSON.stringify(result).replaceAll('\\n', '\n');
    assert.match(catalog, lists);
    assert.match(catalog, /other__ \(4\)/);
    await client.request('tools/list');
    const changes = client.notices.filter(({ method }) => method.endsWith('list_changed'));
    assert.ok(changes.length < 5, 'lists that stay the same are not announced');
  });
