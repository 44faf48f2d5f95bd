// test: slow
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { scripted, send, tasks } from '@toolfold/agent/test/subagents/team.test-support.ts';
import { browse, startOAuthServer } from '@toolfold/mcp/test/login/oauth-server.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { root } from '../cli/process.test-support.ts';
import { type Editor, editorScene, limited, shown } from './acp.test-support.ts';

type Card = Record<string, unknown>;
const cards = (editor: Editor, id: string): Card[] =>
  (shown(editor.updates(id)) as Card[]).filter(({ toolCallId }) => toolCallId !== undefined);

/** A server of the SDK in a process of its own. */
const asker = {
  command: process.execPath,
  args: [join(root, 'packages/mcp/test/requests/asking-server.test-support.ts'), '2025-11-25'],
};
const form = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who are you?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string', title: 'Name', minLength: 2 } },
      required: ['name'],
    },
  },
};

suite('toolfold acp: questions', () => {
  test(
    'what a server asks, where the editor shows forms and elsewhere',
    limited,
    async (context) => {
      const ask: Reply = {
        calls: [{ name: 'asker__ask', arguments: { requests: { one: form } } }],
      };
      const scene = await editorScene(context, [ask, { text: 'Ada.' }, ask, { text: 'Nobody.' }], {
        servers: { asker },
        toolfold: { approvals: { mode: 'never' } },
      });
      const names = ['A', 'Ada'];
      const editor = await scene.connect({
        capabilities: { elicitation: { form: {} } },
        elicit: async () => ({ action: 'accept', content: { name: names.shift() ?? '' } }),
      });
      const id = await editor.begin();
      assert.equal(await editor.say(id, 'Ask me'), 'end_turn');
      const [first, second] = editor.elicitations as Card[];
      const { mode, sessionId, toolCallId, message, requestedSchema } = first ?? {};
      const [card] = cards(editor, id);
      assert.deepEqual([mode, sessionId, toolCallId], ['form', id, card?.toolCallId]);
      assert.match(
        String(message),
        /The server asker asks you while asker__ask runs:\n {2}Who are you/,
      );
      assert.deepEqual(requestedSchema, {
        type: 'object',
        properties: { name: { type: 'string', title: 'Name', minLength: 2 } },
        required: ['name'],
      });
      assert.match(String(second?.message), /name: .*at least 2/);
      assert.match(scene.model.requests[1]?.raw ?? '', /Ada/);

      const other = await scene.connect();
      const plain = await other.begin();
      assert.equal(await other.say(plain, 'Ask me'), 'end_turn');
      assert.equal(other.elicitations.length, 0);
    },
  );

  test('a login is a form, and its page a message', limited, async (context) => {
    const { url } = await startOAuthServer(context);
    const scene = await editorScene(context, [{ text: 'Yes.' }], { servers: { vault: { url } } });
    const editor = await scene.connect({
      capabilities: { elicitation: { form: {} } },
      elicit: async () => ({ action: 'accept', content: {} }),
    });
    const id = await editor.begin();
    const said = () => (shown(editor.updates(id)) as Card[]).map(({ text }) => text).join('\n');
    const page = () => /^Open this address to log in to vault: (http\S+)$/m.exec(said())?.[1];
    await editor.until(() => page() !== undefined);
    const [form] = editor.elicitations as Card[];
    assert.match(String(form?.message), /^The server vault cannot be used: it needs a login\.\n/);
    const { status } = await browse(page() ?? '');
    assert.equal(status, 200, 'the login waited for the browser');
  });

  test('a question of a subagent belongs to its call', limited, async (context) => {
    const given = { text: 'x' };
    const script = scripted([send(tasks(2)), { text: 'Together.' }], ({ step }): Reply => {
      if (step > 0) return { text: 'Written.' };
      return { calls: [{ name: 'files__write_note', arguments: given }] };
    });
    const scene = await editorScene(context, script, { toolfold: { subagents: true } });
    const editor = await scene.connect({ answer: async () => 'once' });
    const id = await editor.begin();
    assert.equal(await editor.say(id, 'Write twice'), 'end_turn');
    const states = cards(editor, id).map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(states.toSorted(), [
      'files__write_note completed',
      'files__write_note completed',
      'subagents completed',
    ]);
    const titles = cards(editor, id).map(({ title }) => String(title));
    for (const task of ['t1', 't2'])
      assert.ok(titles.includes(`[${task}] files__write_note`), titles.join());
    const asked = editor.asked.map(({ toolCall }) => toolCall.toolCallId);
    const known = cards(editor, id).map(({ toolCallId }) => toolCallId);
    assert.equal(new Set(asked).size, 2);
    for (const toolCallId of asked) assert.ok(known.includes(toolCallId));
    const other = await scene.connect();
    await other.load(id);
    const sorted = (from: Editor) =>
      cards(from, id).toSorted((a, b) => (String(a.toolCallId) < String(b.toolCallId) ? -1 : 1));
    assert.deepEqual(sorted(other), sorted(editor));
  });

  test(
    'a tool says that it may destroy something, also of a server without trust',
    limited,
    async (context) => {
      const tools = [
        { name: 'drop', annotations: { destructiveHint: true } },
        { name: 'note', annotations: { destructiveHint: false, readOnlyHint: true } },
      ];
      const calls = tools.map(({ name }) => ({ name: `files__${name}`, arguments: {} }));
      const scene = await editorScene(context, [{ calls }, { text: 'Then not.' }], { tools });
      const editor = await scene.connect();
      const id = await editor.begin();
      assert.equal(await editor.say(id, 'Drop it'), 'end_turn');
      const asked = editor.asked.map(({ toolCall }) => JSON.stringify(toolCall));
      const isSaid = (name: string) =>
        asked.find((text) => text.includes(name))?.includes('may destroy something');
      assert.deepEqual(['files__drop', 'files__note'].map(isSaid), [true, false]);
    },
  );
});
