import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { type Editor, editorScene, KEY, limited, shown } from './acp.test-support.ts';

const { session } = methods.agent;
const write = (text: string): Reply['calls'] => [
  { name: 'files__write_note', arguments: { text } },
];
const kindsOf = (editor: Editor, id: string) =>
  editor.updates(id).map(({ sessionUpdate }) => sessionUpdate);

suite('toolfold acp', () => {
  test(
    'thoughts between tags are thoughts, also when a session is loaded',
    limited,
    async (context) => {
      const scene = await editorScene(context, [
        { text: '<think>Hm.</think>\n\nYes.', chunkSize: 4 },
      ]);
      const [editor, other] = [await scene.connect(), await scene.connect()];
      const id = await editor.begin();
      await editor.say(id, 'Is it?');
      await other.load(id);
      for (const one of [editor, other]) {
        const texts = shown(one.updates(id)) as Record<string, unknown>[];
        const words = texts.map(({ kind, text }) => [kind, text]);
        assert.deepEqual(words, [
          ['agent_thought_chunk', 'Hm.'],
          ['agent_message_chunk', 'Yes.'],
        ]);
      }
    },
  );

  test(
    '/context says what the next request holds, before the first turn and after it',
    limited,
    async (context) => {
      const scene = await editorScene(context, [{ text: 'Hello.' }]);
      const editor = await scene.connect({});
      const id = await editor.begin();
      const words = /^The next request: tools [\d,]+ of [\d,]+ tokens/;
      const last = () => (shown(editor.updates(id)) as { text?: string }[]).at(-1)?.text ?? '';
      assert.equal(await editor.say(id, '/context'), 'end_turn');
      assert.match(last(), words);
      await editor.say(id, 'Hello');
      assert.equal(await editor.say(id, '/context'), 'end_turn');
      assert.match(last(), /; conversation [\d,]+\.$/);
      assert.equal(scene.model.requests.length, 1);
    },
  );

  test('a conversation, and the same in a second process', limited, async (context) => {
    const scene = await editorScene(context, [
      { text: 'Let me see.', calls: write('x') },
      { text: 'Done.' },
    ]);
    const { journal } = scene;
    const editor = await scene.connect({ answer: async () => 'once' });
    assert.equal(editor.initialized?.protocolVersion, 1);
    assert.equal(editor.initialized?.agentInfo?.name, 'toolfold');
    const id = await editor.begin();
    assert.equal(await editor.say(id, 'Write a note'), 'end_turn');
    const kinds = kindsOf(editor, id);
    assert.deepEqual(kinds, [
      'available_commands_update',
      'agent_message_chunk',
      'usage_update',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'agent_message_chunk',
      'usage_update',
      'session_info_update',
    ]);
    const [asked] = editor.asked;
    assert.equal(asked?.toolCall.name, 'files__write_note');
    assert.deepEqual(
      asked?.options.map(({ optionId, kind }) => [optionId, kind]),
      [
        ['once', 'allow_once'],
        ['session', 'allow_always'],
        ['reject', 'reject_once'],
      ],
    );
    const [words, call, last] = shown(editor.updates(id)) as Record<string, unknown>[];
    assert.deepEqual([words?.text, last?.text], ['Let me see.', 'Done.']);
    assert.notEqual(words?.messageId, last?.messageId);
    assert.deepEqual(
      [call?.name, call?.kind, call?.status, call?.rawInput],
      ['files__write_note', 'edit', 'completed', { text: 'x' }],
    );
    assert.deepEqual(journal.lines, ['start files', 'call files']);

    const other = await scene.connect();
    await other.load(id);
    assert.deepEqual(shown(other.updates(id)), shown(editor.updates(id)));
    assert.equal(kindsOf(other, id)[0], 'user_message_chunk');
    const { sessions } = await other.agent.request(session.list, { cwd: scene.folder });
    assert.deepEqual(
      sessions.map(({ sessionId, cwd, title }) => [sessionId, cwd, title]),
      [[id, scene.folder, 'Write a note']],
    );
    await other.agent.request(session.close, { sessionId: id });
    await assert.rejects(other.say(id, 'More'), { code: -32002 });
    await other.agent.request(session.delete, { sessionId: id });
    assert.deepEqual((await other.agent.request(session.list, {})).sessions, []);
    await assert.rejects(other.load(id), { code: -32002 });
    assert.deepEqual([await editor.end(), await other.end()], [0, 0]);
    await journal.allGone();
    for (const line of [...editor.lines, ...other.lines]) JSON.parse(line);
    assert.ok(![...editor.stdout, ...other.stdout, editor.stderr].join('').includes(KEY));
  });
});
