// test: slow
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Json } from '../../test/gateway/raw-server.test-support.ts';
import { fixtureEntry, openGateway, StreamClient } from '../../test/gateway/scene.test-support.ts';
import type { GatewayOptions } from '../gateway/gateway.ts';
import { fullName } from './shown-tools.ts';

const limited = { timeout: 60_000 };

async function open(
  context: TestContext,
  options: Parameters<typeof openGateway>[2] = {},
  servers: readonly string[] = ['fixture'],
): Promise<StreamClient> {
  const entries = await Promise.all(
    servers.map(async (name) => [name, await fixtureEntry(context, 'legacy')] as const),
  );
  const gateway = openGateway(context, Object.fromEntries(entries), options);
  const client = new StreamClient(gateway, { era: 'legacy' });
  context.after(() => client.close());
  await client.begin();
  return client;
}

async function listed(client: StreamClient): Promise<readonly (Json & { name: string })[]> {
  const { result } = await client.request('tools/list');
  return result?.tools as (Json & { name: string })[];
}

const textOf = async (client: StreamClient, name: string, args: Json): Promise<string> =>
  JSON.stringify(await client.call(name, args));

test(
  'a bridge lists three tools, and the names of the others in one of them',
  limited,
  async (context) => {
    const client = await open(context);
    await client.call('fixture__count');
    const tools = await listed(client);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['tool_search', 'tool_describe', 'tool_call'],
    );
    const [search, ...others] = tools;
    assert.match(String(search?.description), /^fixture__ \(19\).*\n.*\bask\b/m);
    for (const { description } of others) assert.doesNotMatch(String(description), /fixture__/);
    assert.match(String(search?.description).slice(0, 1000), /x__a.*tool_describe.*tool_call/s);
    assert.match(await textOf(client, 'tool_search', { query: 'hang' }), /fixture__hang/);
    assert.match(await textOf(client, 'tool_describe', { name: 'fixture__given' }), /integer/);
  },
);

test(
  'a search of a bridge waits for servers, and finds related words too',
  limited,
  async (context) => {
    const client = await open(context);
    assert.match(await textOf(client, 'tool_search', { query: 'tally' }), /fixture__count/);
  },
);

test('each name of the catalog can be called as its line says', limited, async (context) => {
  const settings = { catalog: { hints: false } };
  const client = await open(context, { settings, budget: Number.POSITIVE_INFINITY });
  await client.call('fixture__count');
  const [search] = await listed(client);
  const line = /^(fixture__) \(19\)[^:]*: (.*)$/m.exec(String(search?.description));
  const [, start = '', names = ''] = line ?? assert.fail();
  assert.equal(names.split(' ').length, 19);
  for (const name of names.split(' ')) {
    const { result } = await client.call('tool_describe', { name: start + name });
    assert.equal(result?.isError, undefined, name);
  }
});

test(
  'a bridge checks arguments and does not change them, unless told otherwise',
  limited,
  async (context) => {
    const wrong = { name: 'fixture__given', arguments: { count: 'many', odd: [1.5, null] } };
    const checking = await open(context);
    const refused = await textOf(checking, 'tool_call', wrong);
    assert.match(refused, /invalid_arguments/);
    assert.match(refused, /"isError":true/);
    const given = { count: 1, odd: [1.5, null], 'z a': { b: 1 } };
    const passed = await checking.call('tool_call', { name: 'fixture__given', arguments: given });
    const direct = await checking.call('fixture__given', given);
    assert.equal(JSON.stringify(passed), JSON.stringify(direct));
    assert.match(JSON.stringify(direct), /z a/);
    for (const options of [{ check: false }, { mode: 'eager' as const }]) {
      const client = await open(context, options);
      const [name, args] =
        'mode' in options ? ['fixture__given', wrong.arguments] : ['tool_call', wrong];
      assert.match(await textOf(client, String(name), args), /many/);
    }
  },
);

test('a new configuration ends or begins the check of arguments', limited, async (context) => {
  const fixture = await fixtureEntry(context, 'legacy');
  const gateway = openGateway(context, { fixture });
  const client = new StreamClient(gateway, { era: 'legacy' });
  context.after(() => client.close());
  await client.begin();
  const wrong = { name: 'fixture__given', arguments: { count: 'many' } };
  for (const check of [true, false, true]) {
    await gateway.update({
      servers: new Map([['fixture', fixture]]),
      settings: { serve: { check } },
    });
    const text = await textOf(client, 'tool_call', wrong);
    assert.match(text, check ? /invalid_arguments/ : /many/);
  }
});

test(
  'promise 74: a hidden tool is answered like one that does not exist, in every way',
  limited,
  async (context) => {
    const settings = { exposure: { 'fixture__o*': 'hidden', fixture__media: 'inline' } } as const;
    for (const mode of ['bridge', 'dispatch', 'eager'] as const) {
      const client = await open(context, { mode, settings });
      await client.call('fixture__count');
      const tools = await listed(client);
      assert.doesNotMatch(JSON.stringify(tools), /\bodd\b.*Does odd/);
      assert.ok(tools.some(({ name }) => name === 'fixture__media'));
      const bridge = mode === 'dispatch' ? 'deferred_tool_call' : 'tool_call';
      const key = mode === 'dispatch' ? 'tool_name' : 'name';
      for (const [hidden, unknown] of [['fixture__odd', 'fixture__ofd']] as const) {
        const answers = await Promise.all(
          [hidden, unknown].map(async (name) => [
            (await textOf(client, name, {})).replaceAll(name, 'NAME'),
            mode === 'eager'
              ? ''
              : (await textOf(client, bridge, { [key]: name, arguments: {} })).replaceAll(
                  name,
                  'NAME',
                ),
          ]),
        );
        assert.deepEqual(answers[0], answers[1]);
        assert.match(String(answers[0]?.[0]), /-32602/);
      }
    }
  },
);

test(
  'names leave room for the prefix of clients, and their longer forms are accepted',
  limited,
  async (context) => {
    const long = 'a-very-long-name-of-a-server-that-nobody-would-choose';
    const client = await open(context, { mode: 'eager' }, [long]);
    await client.request('tools/call', { name: 'count' });
    for (let tools = await listed(client); ; tools = await listed(client)) {
      if (tools.length === 0) {
        await client.notice('notifications/tools/list_changed');
        continue;
      }
      for (const { name } of tools) assert.match(name, /^[\w-]{1,49}$/);
      break;
    }
    const name = fullName('fixture', 'x'.repeat(60));
    assert.equal(name.length, 49);
    assert.notEqual(name, fullName('fixture', `${'x'.repeat(59)}y`));
  },
);

test('equal addresses of resources: the first server keeps its own', limited, async (context) => {
  const client = await open(context, { mode: 'eager' }, ['one', 'two']);
  const { result } = await client.request('resources/list');
  const uris = ((result?.resources ?? []) as { uri: string }[]).map(({ uri }) => uri);
  assert.deepEqual(
    uris.filter((uri) => uri.endsWith('page/1')),
    ['fixture://page/1', 'toolfold+two:fixture://page/1'],
  );
  const listing = await client.request('resources/templates/list');
  const templates = (listing.result?.resourceTemplates ?? []) as { uriTemplate: string }[];
  assert.deepEqual(
    templates.map(({ uriTemplate }) => uriTemplate),
    ['fixture://by/{id}', 'toolfold+two:fixture://by/{id}'],
  );
  const filled = await client.request('resources/read', { uri: 'toolfold+two:fixture://by/3' });
  assert.match(JSON.stringify(filled.result), /text of fixture:\/\/by\/3/);
  assert.match(JSON.stringify(filled.result), /"uri":"toolfold\+two:fixture:\/\/by\/3"/);
  const read = await client.request('resources/read', { uri: 'toolfold+two:fixture://page/1' });
  assert.match(JSON.stringify(read.result), /"uri":"toolfold\+two:fixture:\/\/page\/1"/);
  const prompts = await client.request('prompts/list');
  assert.match(JSON.stringify(prompts.result), /one__greet.*two__greet/);
});

test('a tool that is called like a bridge is not called in its place', limited, async (context) => {
  const outer = await fixtureEntry(context, 'legacy');
  assert.ok(outer.kind === 'stdio');
  const args = [...outer.args, 'tool_search', 'load_tools'];
  for (const [mode, bridge] of [
    ['bridge', 'tool_search'],
    ['dispatch', 'load_tools'],
  ] as const) {
    const gateway = openGateway(context, { fixture: { ...outer, args } }, { mode });
    const client = new StreamClient(gateway, { era: 'legacy' });
    context.after(() => client.close());
    await client.begin();
    assert.match(await textOf(client, `fixture__${bridge}`, {}), /of the server/);
    assert.doesNotMatch(await textOf(client, bridge, { query: 'count' }), /of the server/);
  }
});

test('one broken server empties no list, and says what to do', limited, async (context) => {
  const broken = { kind: 'unusable', reason: 'it is broken', remedy: 'Mend it.' } as const;
  const fixture = await fixtureEntry(context, 'legacy');
  const modes: readonly GatewayOptions['mode'][] = ['bridge', 'eager'];
  for (const mode of modes) {
    const gateway = openGateway(context, { fixture, broken }, { mode });
    const client = new StreamClient(gateway, { era: 'legacy' });
    context.after(() => client.close());
    await client.begin();
    await client.call('fixture__count');
    const text = JSON.stringify(await listed(client));
    assert.match(text, /fixture/);
    if (mode === 'bridge') assert.match(text, /it is broken.*Mend it/);
    assert.match(JSON.stringify(await client.request('resources/list')), /page/);
  }
});

test(
  'a new configuration reaches clients; servers that did not change keep running',
  limited,
  async (context) => {
    const fixture = await fixtureEntry(context, 'legacy');
    const gateway = openGateway(context, { fixture }, { mode: 'eager' });
    const client = new StreamClient(gateway, { era: 'legacy' });
    context.after(() => client.close());
    await client.begin();
    await client.call('fixture__count');
    await listed(client);
    const settings = { exposure: { fixture__odd: 'hidden' } } as const;
    await gateway.update({
      servers: new Map([
        ['fixture', fixture],
        ['other', { ...fixture }],
      ]),
      settings,
    });
    await client.notice('notifications/tools/list_changed');
    assert.match(await textOf(client, 'other__count', {}), /"1"/);
    assert.match(await textOf(client, 'fixture__count', {}), /"2"/);
    assert.match(await textOf(client, 'fixture__odd', {}), /Unknown tool/);
  },
);

test(
  'an address that is no text is refused, and no server gets another one',
  limited,
  async (context) => {
    for (const mode of ['bridge', 'dispatch', 'eager'] as const) {
      const client = await open(context, { mode });
      await client.request('resources/list');
      for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe'])
        for (const params of [{ uri: 5 }, { uri: null }, { uri: { a: 1 } }, {}])
          assert.deepEqual(await client.request(method, params), {
            error: { code: -32602, message: "'uri' must be a string." },
          });
      assert.match(await textOf(client, 'fixture__followed', {}), /"\[\]"/);
    }
  },
);

test(
  'a bridge sends the inner of nested arguments, except unchecked or by the whole name',
  limited,
  async (context) => {
    const nested = { name: 'fixture__given', arguments: { arguments: { count: 1 } } };
    const given = async (client: StreamClient, name: string, args: Json): Promise<unknown> => {
      const { result } = await client.call(name, args);
      const [content] = (result?.content ?? []) as { text: string }[];
      return JSON.parse(content?.text ?? '').arguments;
    };
    const checking = await open(context);
    assert.deepEqual(await given(checking, 'tool_call', nested), { count: 1 });
    assert.deepEqual(await given(checking, 'fixture__given', nested.arguments), nested.arguments);
    const unchecking = await open(context, { check: false });
    assert.deepEqual(await given(unchecking, 'tool_call', nested), nested.arguments);
  },
);
