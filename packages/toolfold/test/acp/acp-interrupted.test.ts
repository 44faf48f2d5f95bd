// test: slow
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import {
  type CreateElicitationRequest,
  type ElicitationSchema,
  methods,
} from '@agentclientprotocol/sdk';
import { scripted, send, tasks } from '@toolfold/agent/test/subagents/team.test-support.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  type Answer,
  type Editor,
  type EditorOptions,
  editorScene,
  limited,
  type Scene,
  shown,
} from './acp.test-support.ts';

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

/** The texts as they are sent. Each scripted text is one chunk. */
const chunks = (editor: Editor, id: string) =>
  editor.updates(id).flatMap((update) => {
    if (update.sessionUpdate !== 'agent_message_chunk') return [];
    return update.content.type === 'text' ? [update.content.text] : [];
  });

/** The texts of the model. Those of Toolfold itself are about a call whose outcome is unknown. */
const said = (editor: Editor, id: string) =>
  texts(editor, id).filter((text) => !String(text).includes('had started'));
/** What Toolfold itself says about such calls. */
const remarks = (editor: Editor, id: string) =>
  texts(editor, id).filter((text) => String(text).includes('had started'));
const forms = { elicitation: { form: {} } };

/** A form as a client fills it without its user: with the defaults, or with the first choices. */
function filled(asked: CreateElicitationRequest, how: 'default' | 'first') {
  const { properties } = (asked as { readonly requestedSchema: ElicitationSchema }).requestedSchema;
  const content: Record<string, string> = {};
  for (const [name, field] of Object.entries(properties ?? {})) {
    const { oneOf = [], default: given } = field as {
      readonly oneOf?: readonly { readonly const: string }[];
      readonly default?: string;
    };
    content[name] = (how === 'default' ? given : oneOf[0]?.const) ?? '';
  }
  assert.deepEqual(Object.keys(content), ['outcome']);
  return { action: 'accept' as const, content };
}

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

  test('texts that follow one another are paragraphs', limited, async (context) => {
    const done = [{ text: 'Written.' }, { text: 'You are welcome.' }, { text: 'Bye.' }];
    const { id, connect } = await killedAsking(context, ...done);
    const editor = await connect({ answer: async () => 'once' });
    await editor.load(id);
    await editor.say(id, 'Thank you');
    await editor.say(id, 'Bye');
    assert.deepEqual(chunks(editor, id), [
      'Let me see.',
      'Written.',
      '\n\nYou are welcome.',
      // The prompt of the user stands before it.
      'Bye.',
    ]);
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
    assert.deepEqual(said(editor, id), ['Let me see.']);
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    assert.deepEqual(said(editor, id), ['Let me see.', 'I see.']);
    assert.deepEqual(
      cards(editor, id).map(({ status }) => status),
      ['failed'],
    );
    const other = await scene.connect();
    await other.load(id);
    assert.deepEqual(said(other, id), said(editor, id));
    assert.deepEqual(cards(other, id), cards(editor, id));
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
    const editor = await scene.connect({ capabilities: forms });
    await editor.load(id);
    assert.equal(await editor.say(id, '/continue'), 'end_turn');
    const [asked] = editor.elicitations as Card[];
    assert.equal(editor.elicitations.length, 1);
    assert.equal(editor.asked.length, 0);
    assert.match(String(asked?.message), /^\[t1\] files__hang .*\nhad started/);
    const states = cards(editor, id).map(({ name, status }) => `${name} ${status}`);
    assert.deepEqual(states, ['subagents completed', 'files__hang failed']);
    const hang = cards(editor, id).find(({ name }) => name === 'files__hang');
    assert.equal(asked?.toolCallId, hang?.toolCallId);
    assert.equal(scene.journal.lines.filter((line) => line === 'call files').length, 1);
  });

  for (const [choice, status, calls, words] of [
    ['again', 'completed', 2, /The call was written/],
    ['happened', 'completed', 1, /The user says that it has taken effect/],
    ['leave', 'failed', 1, /interrupted/i],
  ] as const)
    for (const way of ['form', 'command'] as const)
      test(`a call whose outcome is unknown: ${choice} by ${way}`, limited, async (context) => {
        const scene = await killedRunning(context, { text: 'I see.' }, { text: 'Good.' });
        const { id, connect, journal, model } = scene;
        const editor = await connect({
          ...(way === 'form' ? { capabilities: forms } : {}),
          elicit: async () => ({ action: 'accept', content: { outcome: choice } }),
          answer: async () => 'once',
        });
        await editor.load(id);
        const isForm = way === 'form';
        if (!isForm) await editor.until(() => remarks(editor, id).length > 0);
        const call = String(cards(editor, id)[0]?.toolCallId);
        const command = choice === 'leave' ? 'And now?' : `/${choice} ${call}`;
        const turn = editor.say(id, isForm ? 'And now?' : command);
        if (choice === 'again') {
          // The tool hangs again: the user gives up.
          while (journal.lines.filter((line) => line === 'call files').length < 2)
            await journal.next();
          await editor.agent.notify(session.cancel, { sessionId: id });
          assert.equal(await turn, 'cancelled');
        } else {
          assert.equal(await turn, 'end_turn');
          assert.match(model.requests[1]?.raw ?? '', words);
          const isPrompt = isForm || choice === 'leave';
          const expected = ['Let me see.', 'I see.', ...(isPrompt ? ['Good.'] : [])];
          assert.deepEqual(said(editor, id), expected);
          assert.equal(cards(editor, id)[0]?.status, status);
        }
        assert.equal(editor.asked.length, 0, 'no permission is about such a call');
        assert.equal(editor.elicitations.length, isForm ? 1 : 0);
        if (isForm) assert.deepEqual(remarks(editor, id), []);
        else
          assert.match(
            String(remarks(editor, id)[0]),
            new RegExp(`/happened ${call}.*/again ${call}`),
          );
        assert.equal(journal.lines.filter((line) => line === 'call files').length, calls);
      });

  /** How a client may answer without its user. */
  const pickers: Readonly<Record<string, Answer>> = {
    ...Object.fromEntries(
      ['allow_once', 'allow_always', 'reject_once', 'reject_always'].map((wanted) => [
        wanted,
        async ({ options }) => options.find(({ kind }) => kind === wanted)?.optionId,
      ]),
    ),
    'the first option': async ({ options }) => options[0]?.optionId,
    'the last option': async ({ options }) => options.at(-1)?.optionId,
  };
  /** How it may answer a form. */
  const fillers: Readonly<Record<string, EditorOptions['elicit']>> = {
    'accepts an empty form': async () => ({ action: 'accept', content: {} }),
    'fills a form with what stands there': async (asked) => filled(asked, 'default'),
    'fills a form with the first choices': async (asked) => filled(asked, 'first'),
    'declines forms': async () => ({ action: 'decline' }),
    'cannot show the form': async () => {
      throw new Error('not now');
    },
  };
  const clients: readonly (readonly [string, EditorOptions])[] = [
    ...Object.entries(pickers).map(([what, answer]) => [`picks ${what}`, { answer }] as const),
    ...Object.entries(fillers).map(
      ([what, elicit]) => [what, { elicit, capabilities: forms } as EditorOptions] as const,
    ),
  ];
  for (const [what, options] of clients)
    test(`a client that ${what} repeats no interrupted call`, limited, async (context) => {
      const scene = await killedRunning(context, { text: 'I see.' }, { text: 'Good.' });
      const { id, connect, journal } = scene;
      const editor = await connect(options);
      await editor.load(id);
      assert.equal(await editor.say(id, 'And now?'), 'end_turn');
      assert.deepEqual(said(editor, id), ['Let me see.', 'I see.', 'Good.']);
      assert.equal(editor.asked.length, 0);
      assert.equal(journal.lines.filter((line) => line === 'call files').length, 1);
    });

  for (const isKilled of [false, true])
    test(
      `a call that was left unknown can still be decided by a command${isKilled ? ', in another process too' : ''}`,
      limited,
      async (context) => {
        const more = [{ text: 'I see.' }, { text: 'Good.' }, { text: 'I know.' }, { text: 'Run.' }];
        const { id, connect, model, journal } = await killedRunning(context, ...more);
        let editor = await connect();
        await editor.load(id);
        const call = String(cards(editor, id)[0]?.toolCallId);
        const refused = { code: -32602, message: new RegExp(call) };
        await assert.rejects(editor.say(id, '/again other'), refused);
        assert.equal(await editor.say(id, 'And now?'), 'end_turn');
        assert.match(String(remarks(editor, id).at(-1)), /The model reads that nobody knows/);
        if (isKilled) {
          await editor.kill();
          editor = await connect();
          await editor.load(id);
          await assert.rejects(editor.say(id, '/again other'), refused);
        }
        assert.equal(await editor.say(id, `/happened ${call}`), 'end_turn');
        assert.match(model.requests.at(-1)?.raw ?? '', /This call has taken effect.*files__hang/);
        await assert.rejects(editor.say(id, `/again ${call}`), /There is none/);
        assert.equal(journal.lines.filter((line) => line === 'call files').length, 1);
      },
    );

  test(
    'a prompt that was not sent, because the turn before it did not end, is not lost in silence',
    limited,
    async (context) => {
      const replies: Reply[] = [{ text: 'One. ' }];
      const open = Promise.withResolvers<Reply>();
      const scene = await editorScene(context, () => replies.shift() ?? open.promise);
      const first = await scene.connect();
      const id = await first.begin();
      assert.equal(await first.say(id, 'First'), 'end_turn');
      first.say(id, 'Second').catch(() => {});
      while (scene.model.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
      await first.kill();
      const editor = await scene.connect();
      await editor.load(id);
      const turn = editor.say(id, 'Third');
      while (scene.model.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
      await editor.agent.notify(session.cancel, { sessionId: id });
      assert.equal(await turn, 'cancelled');
      assert.match(texts(editor, id).join('\n'), /Your message was not sent/);
      open.resolve({ text: 'Late.' });
    },
  );

  test('the commands are announced', limited, async (context) => {
    const scene = await editorScene(context, []);
    const editor = await scene.connect();
    const id = await editor.begin();
    const announced = () =>
      editor
        .updates(id)
        .flatMap((one) =>
          one.sessionUpdate === 'available_commands_update' ? one.availableCommands : [],
        );
    await editor.until(() => announced().length > 0);
    assert.deepEqual(
      announced().map(({ name, input }) => [name, input?.hint]),
      [
        ['continue', undefined],
        ['compact', undefined],
        ['context', undefined],
        ['fork', undefined],
        ['rename', 'The title'],
        ['again', 'ID of the call'],
        ['happened', 'ID of the call'],
      ],
    );
  });
});
