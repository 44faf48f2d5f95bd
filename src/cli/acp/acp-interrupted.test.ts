import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import { scripted, send, tasks } from '../../agent/subagents/team.test-support.ts';
import type { Reply } from '../../testing/index.ts';
import { type Editor, editorScene, limited, type Scene, shown } from './acp.test-support.ts';

const { session } = methods.agent;
const call = (name: string): Reply => ({
  text: 'Let me see.',
  calls: [{ name: `files__${name}`, arguments: { text: 'x' } }],
});
const never = () => new Promise<never>(() => {});

type Card = Record<string, unknown>;
const cards = (editor: Editor, id: string): Card[] =>
  (shown(editor.updates(id)) as Card[]).filter(({ toolCallId }) => toolCallId !== undefined);
const texts = (editor: Editor, id: string) =>
  (shown(editor.updates(id)) as Card[]).flatMap(({ text }) => (text === undefined ? [] : [text]));

/** A session whose process was killed while an approval was open. */
async function killedAsking(
  context: TestContext,
  ...more: readonly Reply[]
): Promise<Scene & { readonly id: string; readonly first: Editor }> {
  const scene = await editorScene(context, [call('write_note'), ...more]);
  const first = await scene.connect({ answer: never });
  const id = await first.begin();
  first.say(id, 'Write a note').catch(() => {});
  await first.until(() => first.asked.length > 0);
  await first.kill();
  return { ...scene, id, first };
}

/** A session whose process was killed while a tool ran. */
async function killedRunning(
  context: TestContext,
  ...more: readonly Reply[]
): Promise<Scene & { readonly id: string }> {
  const scene = await editorScene(context, [call('hang'), ...more]);
  const first = await scene.connect({ answer: async () => 'once' });
  const id = await first.begin();
  first.say(id, 'Hang').catch(() => {});
  await scene.journal.until('call files');
  await first.kill();
  return { ...scene, id };
}

suite('toolfold acp after kill -9', () => {
  test('an open approval is asked again before the next prompt', limited, async (context) => {
    const done = [{ text: 'Written.' }, { text: 'You are welcome.' }];
    const { id, first, connect, journal, model } = await killedAsking(context, ...done);
    const editor = await connect({ answer: async () => 'once' });
    await editor.load(id);
    assert.deepEqual(shown(editor.updates(id)), shown(first.updates(id)));
    assert.deepEqual(
      cards(editor, id).map(({ status }) => status),
      ['pending'],
    );
    assert.equal(editor.asked.length, 0);
    assert.equal(await editor.say(id, 'Thank you'), 'end_turn');
    assert.equal(editor.asked.length, 1);
    assert.equal(editor.asked[0]?.toolCall.toolCallId, first.asked[0]?.toolCall.toolCallId);
    assert.deepEqual(
      cards(editor, id).map(({ status }) => status),
      ['completed'],
    );
    assert.deepEqual(texts(editor, id), ['Let me see.', 'Written.', 'You are welcome.']);
    assert.deepEqual(
      journal.lines.filter((line) => line === 'call files'),
      ['call files'],
    );
    assert.equal(model.requests.length, 3);
    const other = await connect();
    await other.load(id);
    assert.deepEqual(shown(other.updates(id)), shown(editor.updates(id)));
  });

  test('session/resume sends nothing, and /continue goes on alone', limited, async (context) => {
    const { id, connect, model } = await killedAsking(context, { text: 'Well, then not.' });
    const editor = await connect({ answer: async () => 'reject' });
    const request = { sessionId: id, ...editor.place };
    await editor.agent.request(session.resume, request);
    assert.deepEqual(shown(editor.updates(id)), []);
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    const [card] = cards(editor, id);
    assert.deepEqual([card?.name, card?.status], ['files__write_note', 'failed']);
    assert.deepEqual(texts(editor, id), ['Well, then not.']);
    assert.equal(model.requests.length, 2);
  });

  test('a cancelled question leaves the call open for /continue', limited, async (context) => {
    const { id, connect } = await killedAsking(context, { text: 'Done.' });
    let answer: string | undefined;
    const editor = await connect({ answer: async () => answer });
    await editor.load(id);
    assert.equal(await editor.say(id, 'Go on'), 'cancelled');
    answer = 'session';
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    assert.equal(editor.asked.length, 2);
    assert.deepEqual(texts(editor, id).at(-1), 'Done.');
  });

  test('an answer that had arrived is not shown twice', limited, async (context) => {
    const replies = [call('hang'), { text: 'I see.' }];
    const scene = await editorScene(context, replies, {
      toolfold: { approvals: { mode: 'never' } },
    });
    const first = await scene.connect();
    const id = await first.begin();
    first.say(id, 'Hang').catch(() => {});
    await scene.journal.until('call files');
    await first.kill();
    const editor = await scene.connect({ answer: async () => 'leave' });
    await editor.load(id);
    assert.deepEqual(texts(editor, id), ['Let me see.']);
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    assert.deepEqual(texts(editor, id), ['Let me see.', 'I see.']);
    assert.deepEqual(
      cards(editor, id).map(({ status }) => status),
      ['failed'],
    );
    const other = await scene.connect();
    await other.load(id);
    assert.deepEqual(shown(other.updates(id)), shown(editor.updates(id)));
  });

  test('a call of a subagent whose outcome is unknown', limited, async (context) => {
    const script = scripted([send(tasks(1)), { text: 'Together.' }], ({ step }): Reply => {
      return step > 0 ? { text: 'I see.' } : call('hang');
    });
    const scene = await editorScene(context, script, {
      toolfold: { subagents: true, approvals: { mode: 'never' } },
    });
    const first = await scene.connect();
    const id = await first.begin();
    first.say(id, 'Hang').catch(() => {});
    await scene.journal.until('call files');
    await first.kill();
    const editor = await scene.connect({ answer: async () => 'leave' });
    await editor.load(id);
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    const [asked] = editor.asked;
    assert.equal(editor.asked.length, 1);
    assert.match(String(asked?.toolCall.title), /^\[t1\] files__hang/);
    const states = cards(editor, id).map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(states, ['subagents completed', 'files__hang failed']);
    const hang = cards(editor, id).find(({ name }) => name === 'files__hang');
    assert.equal(asked?.toolCall.toolCallId, hang?.toolCallId);
    assert.equal(scene.journal.lines.filter((line) => line === 'call files').length, 1);
  });

  for (const [choice, status, calls, said] of [
    ['again', 'completed', 2, /The call was written/],
    ['happened', 'completed', 1, /The user says that it has taken effect/],
    ['leave', 'failed', 1, /interrupted/i],
  ] as const)
    test(`a call whose outcome is unknown: ${choice}`, limited, async (context) => {
      const scene = await killedRunning(context, { text: 'I see.' }, { text: 'Good.' });
      const { id, connect, journal, model } = scene;
      const hold = { answer: async () => choice };
      const editor = await connect(hold);
      await editor.load(id);
      const turn = editor.say(id, 'And now?');
      if (choice === 'again') {
        // The tool hangs again: the user gives up.
        await editor.until(() => editor.asked.length > 0);
        while (journal.lines.filter((line) => line === 'call files').length < 2)
          await journal.next();
        await editor.agent.notify(session.cancel, { sessionId: id });
        assert.equal(await turn, 'cancelled');
      } else {
        assert.equal(await turn, 'end_turn');
        assert.match(model.requests[1]?.raw ?? '', said);
        assert.deepEqual(texts(editor, id), ['Let me see.', 'I see.', 'Good.']);
        assert.equal(cards(editor, id)[0]?.status, status);
      }
      assert.deepEqual(
        editor.asked.map(({ options }) => options.map(({ optionId }) => optionId)),
        [['again', 'happened', 'leave']],
      );
      assert.equal(journal.lines.filter((line) => line === 'call files').length, calls);
    });
});
