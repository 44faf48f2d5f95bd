// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import {
  type McpServer,
  methods,
  type NewSessionRequest,
  type PromptRequest,
} from '@agentclientprotocol/sdk';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { editorScene, KEY, limited, refusal, shown } from './acp.test-support.ts';

const { session } = methods.agent;
const call = (name: string, text = 'x'): Reply => ({
  calls: [{ name: `files__${name}`, arguments: { text } }],
});
const never = () => new Promise<never>(() => {});

suite('toolfold acp: turns and sessions', () => {
  test(
    'cancel ends a turn: in a question, in a tool, and in an answer',
    limited,
    async (context) => {
      const open = Promise.withResolvers<Reply>();
      const replies: (Reply | Promise<Reply>)[] = [call('write_note'), call('hang'), open.promise];
      const scene = await editorScene(context, () => replies.shift() ?? { text: 'Well.' });
      let answer: () => Promise<string> = never;
      const editor = await scene.connect({ answer: () => answer() });
      const id = await editor.begin();
      const cancel = () => editor.agent.notify(session.cancel, { sessionId: id });
      const asking = editor.say(id, 'Write');
      await editor.until(() => editor.asked.length > 0);
      await assert.rejects(editor.say(id, 'Now'), { code: -32600, message: /still running/ });
      await cancel();
      assert.equal(await asking, 'cancelled');
      answer = async () => 'once';
      const running = editor.say(id, 'Hang');
      await scene.journal.until('call files');
      await cancel();
      assert.equal(await running, 'cancelled');
      await scene.journal.until('cancelled files');
      const waiting = editor.say(id, 'Answer');
      while (scene.model.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
      await cancel();
      assert.equal(await waiting, 'cancelled');
      open.resolve({ text: 'Too late.' });
      const early = editor.say(id, 'At once');
      await cancel();
      // Both wait for the end of the cancelled turn. A cancel takes back what waits.
      const dropped = editor.say(id, 'Dropped');
      await cancel();
      const behind = editor.say(id, 'And then');
      assert.equal(await early, 'cancelled');
      assert.equal(await dropped, 'cancelled');
      assert.equal(await behind, 'end_turn');
      assert.equal(await editor.say(id, 'Are you there?'), 'end_turn');
      const statuses = (shown(editor.updates(id)) as { status?: string }[]).flatMap(
        ({ status }) => status ?? [],
      );
      assert.deepEqual(statuses, ['failed', 'failed']);
    },
  );

  test('several sessions work side by side', limited, async (context) => {
    const first = Promise.withResolvers<Reply>();
    const scene = await editorScene(context, ({ raw }) =>
      raw.includes('Slowly') ? first.promise : { text: 'Quick.' },
    );
    const editor = await scene.connect();
    const ids = [await editor.begin(), await editor.begin()] as const;
    const slow = editor.say(ids[0], 'Slowly');
    assert.equal(await editor.say(ids[1], 'Quickly'), 'end_turn');
    await assert.rejects(editor.load(ids[0]), { code: -32600 });
    first.resolve({ text: 'Slow.' });
    assert.equal(await slow, 'end_turn');
    const texts = ids.map((id) => (shown(editor.updates(id)) as { text: string }[])[0]?.text);
    assert.deepEqual(texts, ['Slow.', 'Quick.']);
    const { sessions } = await editor.agent.request(session.list, {});
    assert.deepEqual(sessions.map(({ sessionId }) => sessionId).toSorted(), ids.toSorted());
  });

  test('a session that another process writes', limited, async (context) => {
    const open = Promise.withResolvers<Reply>();
    const replies: (Reply | Promise<Reply>)[] = [{ text: 'One.' }, open.promise];
    const scene = await editorScene(context, () => replies.shift() ?? { text: 'Three.' });
    const [one, other] = [await scene.connect(), await scene.connect()];
    const id = await one.begin();
    await one.say(id, 'First');
    await other.load(id);
    const turn = one.say(id, 'Second');
    while (scene.model.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const held = new RegExp(`process ${one.child.pid}\\b.* writes`);
    await assert.rejects(other.say(id, 'Third'), refusal(-32600, 'session-busy', held));
    const busy = { code: -32600, message: held };
    await assert.rejects(other.load(id), busy);
    await assert.rejects(other.agent.request(session.delete, { sessionId: id }), busy);
    open.resolve({ text: 'Two.' });
    assert.equal(await turn, 'end_turn');
    await other.load(id);
    assert.equal(await other.say(id, 'Third'), 'end_turn');
    const raw = scene.model.requests.at(-1)?.raw ?? '';
    for (const words of ['First', 'One.', 'Second', 'Two.', 'Third'])
      assert.ok(raw.includes(words), words);
    // The first process goes on with what the other one has written.
    assert.equal(await one.say(id, 'Fourth'), 'end_turn');
    assert.ok(scene.model.requests.at(-1)?.raw.includes('Third'));
  });

  test(
    'the end of stdin and SIGTERM end turns, servers and the process',
    limited,
    async (context) => {
      for (const isSignal of [false, true]) {
        const scene = await editorScene(context, [call('hang')]);
        const editor = await scene.connect({ answer: async () => 'once' });
        const id = await editor.begin();
        editor.say(id, 'Hang').catch(() => {});
        await scene.journal.until('call files');
        if (isSignal) {
          const over = once(editor.child, 'exit');
          editor.child.kill('SIGTERM');
          assert.deepEqual(await over, [143, null]);
        } else assert.equal(await editor.end(), 0, editor.stderr);
        await scene.journal.allGone();
        const other = await scene.connect();
        await other.load(id);
        const [card] = shown(other.updates(id)) as { status: string }[];
        assert.equal(card?.status, 'failed');
        assert.equal(await other.end(), 0);
      }
    },
  );

  test('closing and removing a session cancels its turn', limited, async (context) => {
    const scene = await editorScene(context, () => call('hang'));
    const editor = await scene.connect({ answer: async () => 'once' });
    for (const method of [session.close, session.delete]) {
      const id = await editor.begin();
      const turn = editor.say(id, 'Hang');
      await editor.until(() =>
        (shown(editor.updates(id)) as { status: string }[]).some(
          ({ status }) => status === 'in_progress',
        ),
      );
      await editor.agent.request(method, { sessionId: id });
      assert.equal(await turn, 'cancelled');
      await assert.rejects(editor.say(id, 'More'), { code: -32002 });
    }
    const { sessions } = await editor.agent.request(session.list, {});
    assert.equal(sessions.length, 1);
  });

  test('a session without a model says how to give one', limited, async (context) => {
    const scene = await editorScene(context, []);
    const editor = await scene.connect({ hasModel: false });
    const opened = await editor.agent.request(session.new, editor.place);
    const ids = opened.configOptions?.map(({ id }) => id);
    assert.deepEqual(ids, ['role', 'model', 'strategy', 'tools']);
    assert.match(opened.configOptions?.at(-1)?.description ?? '', /tokens\. files: 3 tools$/);
    const needed = /No model is given.*--model.*TOOLFOLD_MODEL/;
    await assert.rejects(
      editor.say(opened.sessionId, 'Hello'),
      refusal(-32603, 'invalid-option', needed),
    );
    const { sessions } = await editor.agent.request(session.list, {});
    assert.deepEqual(sessions, []);
    const keyless = await scene.connect({ env: { ANTHROPIC_API_KEY: '' } });
    await assert.rejects(keyless.say(await keyless.begin(), 'Hello'), {
      message: /No API key is set for anthropic/,
    });
  });

  test('the folder, the servers and the files that an editor gives', limited, async (context) => {
    const scene = await editorScene(context, [
      { calls: [{ name: 'files-editor__note', arguments: {} }] },
      { text: `The key is ${KEY}.` },
    ]);
    const inner = join(scene.folder, 'inner');
    await mkdir(inner);
    await writeFile(join(inner, '.mcp.json'), '{ "mcpServers": {} }');
    const capabilities = { session: { notices: {} } };
    const editor = await scene.connect({ capabilities, answer: async () => 'once' });
    const answer = { content: [{ type: 'text', text: 'noted' }] };
    const given = (name: string): McpServer => {
      const entry = scene.journal.entry('given', [{ name: 'note', answer }]) as McpServer;
      return { ...entry, name, env: [{ name: 'TOKEN', value: 'a-secret-of-the-editor' }] };
    };
    const mcpServers: McpServer[] = [
      given('files'),
      given('other'),
      { type: 'http', name: 'web', url: 'nowhere', headers: [] },
    ];
    const request: NewSessionRequest = { cwd: scene.folder, mcpServers };
    const { sessionId } = await editor.agent.request(session.new, request);
    await editor.until(() => editor.notices(sessionId).length > 1);
    assert.match(editor.notices(sessionId).join('\n'), /already a server files.*files-editor/);
    assert.match(editor.notices(sessionId).join('\n'), /web is not ready: its url/);
    const prompt: PromptRequest = {
      sessionId,
      prompt: [
        { type: 'text', text: 'What is this?' },
        { type: 'resource_link', name: 'a.txt', uri: 'file:///tmp/a.txt' },
        { type: 'resource', resource: { uri: 'file:///tmp/b.txt', text: 'some words' } },
      ],
    };
    const { stopReason } = await editor.agent.request(session.prompt, prompt);
    assert.equal(stopReason, 'end_turn');
    const raw = scene.model.requests[0]?.raw ?? '';
    assert.ok(raw.includes('a.txt: /tmp/a.txt') && raw.includes('some words'), raw);
    const [card, last] = shown(editor.updates(sessionId)) as Record<string, string>[];
    assert.equal(card?.status, 'completed');
    assert.equal(last?.text, 'The key is [redacted].');
    const other = await scene.connect();
    await other.load(sessionId);
    assert.ok(JSON.stringify(other.updates(sessionId)).includes('The key is [redacted].'));
    assert.ok(![...editor.stdout, ...other.stdout].join('').includes(KEY));
    const elsewhere: NewSessionRequest = { cwd: inner, mcpServers: [] };
    const opened = await editor.agent.request(session.new, elsewhere);
    assert.equal(
      opened.configOptions?.at(-1)?.description,
      'The next request: no tools. No MCP servers are configured.',
    );
  });

  test('a folder is the same one by each of its paths', limited, async (context) => {
    const scene = await editorScene(context, [{ text: 'Hello.' }]);
    const editor = await scene.connect();
    const { agent, folder } = editor;
    const link = join(folder, 'link');
    await symlink(folder, link);
    const request: NewSessionRequest = { cwd: link, mcpServers: [] };
    const { sessionId } = await agent.request(session.new, request);
    await editor.say(sessionId, 'Hello');
    const real = await realpath(folder);
    for (const cwd of [real, `${real}/`, link]) {
      const { sessions } = await agent.request(session.list, { cwd });
      const found = sessions.map(({ sessionId: id, cwd: place }) => [id, place]);
      assert.deepEqual(found, [[sessionId, real]], cwd);
    }
  });

  test('a failed turn is an error, and the next one works', limited, async (context) => {
    const wrongKey: Reply = { error: { status: 401, body: `${KEY} is not valid` } };
    const replies: Reply[] = [wrongKey, { text: 'Now.' }];
    const scene = await editorScene(context, () => replies.shift() ?? { text: 'Well.' });
    const editor = await scene.connect();
    const id = await editor.begin();
    await assert.rejects(editor.say(id, 'Hello'), refusal(-32603, 'model-refused'));
    assert.equal(await editor.say(id, 'Again'), 'end_turn');
    assert.ok(![...editor.stdout, editor.stderr].join('').includes(KEY));
  });
});
