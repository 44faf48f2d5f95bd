// test: slow
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { editorScene, limited, MODEL, shown } from './acp.test-support.ts';

const { session } = methods.agent;
const write = (text: string): Reply['calls'] => [
  { name: 'files__write_note', arguments: { text } },
];

suite('toolfold acp: what an editor may send', () => {
  test(
    'options, calls through bridge tools, approvals for the session',
    limited,
    async (context) => {
      const scene = await editorScene(context, [
        { calls: [DISPATCH.call('files__write_note', { text: 'a' })] },
        { text: 'One.' },
        { text: 'Two.' },
        { calls: write('b') },
        { text: 'Three.' },
      ]);
      const boolean = { session: { configOptions: { boolean: {} } } };
      const editor = await scene.connect({ answer: async () => 'session', capabilities: boolean });
      const { agent } = editor;
      const { place } = editor;
      const opened = await agent.request(session.new, place);
      const { sessionId, configOptions } = opened;
      const modes = opened.modes?.availableModes.map(({ id }) => id) ?? [];
      assert.deepEqual([opened.modes?.currentModeId, modes.includes('chat')], ['-', true]);
      const currentOf = (options: typeof configOptions, wanted: string) =>
        options?.find(({ id }) => id === wanted)?.currentValue;
      const ids = configOptions?.map(({ id }) => [id, currentOf(configOptions, id)]);
      assert.deepEqual(ids, [
        ['role', '-'],
        ['model', MODEL],
        ['strategy', 'auto'],
        ['tools', true],
      ]);
      assert.match(
        configOptions?.at(-1)?.description ?? '',
        /^The next request: tools ([\d,]+) of \1 tokens\. files: 3 tools$/,
      );
      const set = async (configId: string, value: string) => {
        const changed = await agent.request(session.setConfigOption, {
          sessionId,
          configId,
          value,
        });
        return currentOf(changed.configOptions, configId);
      };
      assert.equal(await set('strategy', 'dispatch'), 'dispatch');
      assert.equal(await editor.say(sessionId, 'Write'), 'end_turn');
      const [call] = shown(editor.updates(sessionId)) as Record<string, unknown>[];
      assert.deepEqual([call?.name, call?.status], ['files__write_note', 'completed']);
      const saved = JSON.parse(await readFile(join(scene.folder, 'toolfold.json'), 'utf8'));
      assert.equal(saved.toolfold.approvals, undefined);

      const off = { sessionId, configId: 'tools', type: 'boolean' as const, value: false };
      await agent.request(session.setConfigOption, off);
      assert.equal(await editor.say(sessionId, 'And now'), 'end_turn');
      assert.match(scene.model.requests.at(-1)?.raw ?? '', /tools are (switched )?off/i);
      await agent.request(session.setConfigOption, { ...off, value: true });
      assert.equal(await set('role', 'chat'), 'chat');
      assert.equal(await set('role', '-'), '-');
      await agent.request(session.setMode, { sessionId, modeId: 'chat' });
      const moded = editor.updates(sessionId).at(-1);
      assert.equal(moded?.sessionUpdate, 'config_option_update');
      assert.equal(await set('role', '-'), '-');
      for (const [configId, value] of [
        ['role', 'nobody'],
        ['strategy', 'none'],
        ['tools', 'maybe'],
        ['colour', 'red'],
      ])
        await assert.rejects(set(configId ?? '', value ?? ''), { code: -32602 });
      assert.equal(await editor.say(sessionId, 'Write again'), 'end_turn');
      assert.equal(editor.asked.length, 1);
      await agent.request(session.close, { sessionId });
      const again = await editor.load(sessionId);
      assert.equal(currentOf(again.configOptions, 'strategy'), 'dispatch');
    },
  );

  test('bad input gets errors, and the next request works', limited, async (context) => {
    const scene = await editorScene(context, ({ raw }) => ({ text: `${raw.length}` }));
    const child = scene.spawn();
    child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}\n');
    child.stdin?.write('not JSON\n[1]\n"text"\n');
    const editor = await scene.adopt(child);
    const early = editor.lines.slice(0, -1).map((line) => JSON.parse(line).error.code);
    assert.deepEqual(early.toSorted(), [-32600, -32600, -32600, -32700]);
    const id = await editor.begin();
    const { agent } = editor;
    const prompt = (blocks: object[], sessionId = id) =>
      agent.request(session.prompt, { sessionId, prompt: blocks as never });
    const text = (words: string) => ({ type: 'text', text: words });
    const { place } = editor;
    const notFound = { code: -32002 };
    const invalid = { code: -32602 };
    await assert.rejects(prompt([text('Hello')], 'nobody'), notFound);
    await assert.rejects(editor.load('nobody'), notFound);
    await assert.rejects(agent.request(session.resume, { sessionId: '', ...place }), notFound);
    await assert.rejects(agent.request(session.new, { cwd: 'here', mcpServers: [] }), invalid);
    await assert.rejects(agent.request(session.new, {} as never), invalid);
    await assert.rejects(agent.request(session.list, { cursor: 'x' }), invalid);
    await assert.rejects(agent.request(session.setMode, { sessionId: id, modeId: 'x' }), invalid);
    for (const blocks of [
      [],
      [text(' \n')],
      [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
    ])
      await assert.rejects(prompt(blocks), invalid);
    await assert.rejects(prompt([{ type: 'odd' }]), invalid);
    await assert.rejects(prompt([text('/continue')]), { code: -32600 });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    child.stdin?.write(
      `{"deep":${deep}}\n{"jsonrpc":"2.0","id":"d","method":"x","params":${deep}}\n`,
    );
    await agent.notify(session.cancel, { sessionId: 'nobody' });
    await agent.notify(session.cancel, { sessionId: id });
    assert.equal((await prompt([text('y'.repeat(1_000_000))])).stopReason, 'end_turn');
    assert.ok((scene.model.requests[0]?.raw.length ?? 0) > 1_000_000);
    assert.equal(await editor.end(), 0);
  });

  test('odd parameters of each method get one answer each', limited, async (context) => {
    const scene = await editorScene(context, [{ text: 'Still here.' }]);
    const editor = await scene.connect();
    const id = await editor.begin();
    const odd = [
      ...[undefined, null, [], 'x', 1, {}, { sessionId: 1 }, { sessionId: {} }, { sessionId: '' }],
      ...[{ sessionId: id }, { sessionId: id, prompt: 'text' }, { sessionId: id, prompt: [1] }],
      { sessionId: id, configId: 'role' },
      { sessionId: id, configId: 'tools', value: {} },
      { sessionId: id, configId: '__proto__', value: 'constructor' },
      { cwd: scene.folder, mcpServers: [{ name: 'x' }] },
      { cwd: scene.folder, mcpServers: 'none' },
      { cwd: `${scene.folder}\0`, mcpServers: [] },
      { cursor: 'bm8', cwd: 5 },
      { protocolVersion: 'one' },
    ];
    const names = ['new', 'load', 'resume', 'list', 'prompt', 'set_config_option', 'set_mode'];
    const requests = [...names.map((name) => `session/${name}`), 'authenticate', 'no/such'].flatMap(
      (method) => odd.map((params, index) => ({ id: `${method} ${index}`, method, params })),
    );
    for (const request of requests)
      editor.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
    for (const params of odd)
      editor.child.stdin?.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params })}\n`,
      );
    const answered = new Map<unknown, number>();
    const look = () => {
      answered.clear();
      for (const line of editor.lines) {
        const { id: of, method } = JSON.parse(line);
        if (method === undefined) answered.set(of, (answered.get(of) ?? 0) + 1);
      }
      return requests.every((request) => answered.has(request.id));
    };
    while (!look()) await editor.output();
    for (const request of requests) assert.equal(answered.get(request.id), 1, request.id);
    assert.equal(await editor.say(await editor.begin(), 'Are you there?'), 'end_turn');
    assert.equal(await editor.end(), 0, editor.stderr);
  });

  test('/compact makes the conversation shorter', limited, async (context) => {
    const read: Reply = { calls: [{ name: 'files__read_long', arguments: {} }] };
    const replies = [read, { text: 'It is long.' }, { text: 'Yes.' }, { text: 'A summary.' }];
    const scene = await editorScene(context, [...replies, ...replies], {
      tools: [{ name: 'read_long', answer: { size: 100_000 } }],
      toolfold: { approvals: { mode: 'never' } },
    });
    for (const hasCompaction of [true, false]) {
      const capabilities = hasCompaction ? { session: { compaction: {} } } : {};
      const editor = await scene.connect({ capabilities });
      const id = await editor.begin();
      for (const words of ['Read it', 'Really?', '/compact'])
        assert.equal(await editor.say(id, words), 'end_turn');
      const [update] = editor
        .updates(id)
        .flatMap((one) => (one.sessionUpdate === 'compaction_update' ? [one] : []));
      const said = JSON.stringify(shown(editor.updates(id)));
      if (hasCompaction) {
        assert.deepEqual(update?.status, 'completed');
        assert.deepEqual(update?.summary, [{ type: 'text', text: 'A summary.' }]);
      } else {
        assert.equal(update, undefined);
        assert.match(said, /Compacted: about [\d,]+ tokens/);
      }
      const other = await scene.connect({ capabilities });
      await other.load(id);
      assert.deepEqual(shown(other.updates(id)), shown(editor.updates(id)));
    }
  });

  test('a message that is too large ends the process with a reason', limited, async (context) => {
    const scene = await editorScene(context, []);
    const editor = await scene.connect();
    editor.child.stdin?.write('x'.repeat(33 * 1024 * 1024));
    assert.equal(await editor.end(), 1);
    assert.match(editor.stderr, /too large a message/);
  });

  test('an editor that is gone ends the process', limited, async (context) => {
    const hold = Promise.withResolvers<void>();
    const scene = await editorScene(context, [{ text: 'x'.repeat(500_000), hold: hold.promise }]);
    const editor = await scene.connect();
    const id = await editor.begin();
    editor.say(id, 'Hello').catch(() => {});
    while (scene.model.requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    editor.child.stdout?.destroy();
    hold.resolve();
    await editor.exited;
    await scene.journal.allGone();
  });

  test(
    'a command with nothing to do is refused, and begins no session',
    limited,
    async (context) => {
      const scene = await editorScene(context, [{ text: 'Hello.' }]);
      const editor = await scene.connect();
      const id = await editor.begin();
      const refused = (message: RegExp) => ({ code: -32600, message });
      const nothing = refused(/^Nothing was said in this session yet/);
      for (const text of ['/continue', '/compact', '/again x'])
        await assert.rejects(editor.say(id, text), nothing);
      assert.deepEqual((await editor.agent.request(session.list, {})).sessions, []);
      assert.equal(await editor.say(id, 'Hello'), 'end_turn');
      const ended = refused(/^No turn of this session stopped in its middle/);
      await assert.rejects(editor.say(id, '/continue'), ended);
      const [listed] = (await editor.agent.request(session.list, {})).sessions;
      assert.equal(listed?.title, 'Hello');
    },
  );
});
