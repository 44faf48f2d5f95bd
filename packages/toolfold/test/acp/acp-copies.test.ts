// test: slow
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { methods } from '@agentclientprotocol/sdk';
import { configOf } from '../servers/scripted-server.test-support.ts';
import { type Editor, editorScene, limited, shown } from './acp.test-support.ts';

const { session } = methods.agent;
/** A client of the unstable part of the protocol sends these. */
const fork = (editor: Editor, params: object) =>
  editor.agent.request<{ sessionId: string; configOptions: unknown[]; modes: object }>(
    'session/fork',
    params,
  );
const setTitle = (editor: Editor, sessionId: string, title: unknown) =>
  editor.agent.request<{ title: string }>('session/set_title', { sessionId, title });
const titlesOf = async (editor: Editor) => {
  const { sessions } = await editor.agent.request(session.list, {});
  return new Map(sessions.map(({ sessionId, title }) => [sessionId, title]));
};
const infosOf = (editor: Editor, id: string) =>
  editor
    .updates(id)
    .flatMap((one) => (one.sessionUpdate === 'session_info_update' ? [one.title] : []));
const lastText = (editor: Editor, id: string) =>
  (shown(editor.updates(id)) as { text?: string }[]).at(-1)?.text;

suite('toolfold acp: copies and titles of sessions', () => {
  test(
    'a fork goes on with what was said, and its origin does not change',
    limited,
    async (context) => {
      const scene = await editorScene(context, () => ({ text: 'Yes.' }));
      const editor = await scene.connect();
      const { fork: offered, title } = (editor.initialized?.agentCapabilities
        ?.sessionCapabilities ?? {}) as Record<string, unknown>;
      assert.deepEqual([offered, title], [{}, {}]);
      const id = await editor.begin();
      await editor.say(id, 'The whale is blue.');
      const before = JSON.stringify(editor.updates(id));
      const copy = await fork(editor, { sessionId: id, ...editor.place });
      assert.notEqual(copy.sessionId, id);
      assert.deepEqual([copy.configOptions.length, 'currentModeId' in copy.modes], [4, true]);
      await editor.say(copy.sessionId, 'Which colour?');
      assert.ok(scene.model.requests.at(-1)?.raw.includes('The whale is blue.'));
      // A fork is opened as `session/resume` opens a session: the editor knows what was said.
      assert.deepEqual(
        shown(editor.updates(copy.sessionId)).map((one) => (one as { text: string }).text),
        ['Yes.'],
      );
      assert.equal(JSON.stringify(editor.updates(id)), before);
      await editor.say(id, 'And the shark?');
      assert.ok(!scene.model.requests.at(-1)?.raw.includes('Which colour?'));
      assert.equal((await titlesOf(editor)).size, 2);
    },
  );

  test('what cannot be forked is refused, and leaves nothing', limited, async (context) => {
    const answer = Promise.withResolvers<{ text: string }>();
    const asked = Promise.withResolvers<void>();
    const scene = await editorScene(context, ({ raw }) => {
      if (!raw.includes('Again')) return { text: 'Yes.' };
      asked.resolve();
      return answer.promise;
    });
    const [editor, other] = [await scene.connect(), await scene.connect()];
    const id = await editor.begin();
    const place = { ...editor.place, sessionId: id };
    await assert.rejects(fork(editor, place), { code: -32002 });
    await editor.say(id, 'Hello');
    const broken = join(scene.folder, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'toolfold.json'), '{');
    const refused = [
      [{ ...place, sessionId: 'none' }, -32002],
      [{ ...place, cwd: 'here' }, -32602],
      [{ sessionId: id }, -32602],
      [{ ...place, mcpServers: [{ name: 'a' }] }, -32602],
      [{ ...place, cwd: broken }, -32603],
    ] as const;
    for (const [params, code] of refused) await assert.rejects(fork(editor, params), { code });
    const saying = editor.say(id, 'Again');
    await asked.promise;
    for (const one of [editor, other])
      await assert.rejects(fork(one, place), { code: -32600, message: /running|writes/ });
    answer.resolve({ text: 'Yes.' });
    await saying;
    assert.deepEqual([...(await titlesOf(other)).keys()], [id]);
  });

  test(
    'a title can be given to every session of the list, and no turn takes it back',
    limited,
    async (context) => {
      const scene = await editorScene(context, () => ({ text: 'Yes.' }));
      const [editor, other] = [await scene.connect(), await scene.connect()];
      const id = await editor.begin();
      await assert.rejects(setTitle(editor, id, 'Early'), { code: -32002 });
      await editor.say(id, 'Hello');
      assert.deepEqual(await setTitle(editor, id, ' The\nblue  whale '), {
        title: 'The blue whale',
      });
      assert.deepEqual(infosOf(editor, id), ['Hello', 'The blue whale']);
      // Another process gives a title to a session that it has not opened.
      assert.deepEqual(await setTitle(other, id, 'The shark'), { title: 'The shark' });
      await editor.say(id, 'Hello again');
      assert.equal(infosOf(editor, id).at(-1), 'The shark');
      for (const title of ['', ' \u200B\n', 7, null])
        await assert.rejects(setTitle(editor, id, title), { code: -32602 });
      await assert.rejects(setTitle(editor, 'none', 'A'), { code: -32002 });
      assert.deepEqual([...(await titlesOf(other))], [[id, 'The shark']]);
    },
  );

  test(
    '/fork and /rename are commands, for editors without these methods',
    limited,
    async (context) => {
      const scene = await editorScene(context, () => ({ text: 'Yes.' }));
      const editor = await scene.connect();
      const id = await editor.begin();
      for (const command of ['/fork', '/rename Whales'])
        await assert.rejects(editor.say(id, command), {
          code: -32600,
          message: /Nothing was said/,
        });
      await editor.say(id, 'Hello');
      assert.equal(await editor.say(id, '/rename The  blue whale'), 'end_turn');
      assert.equal(lastText(editor, id), 'The title is "The blue whale".');
      assert.equal(infosOf(editor, id).at(-1), 'The blue whale');
      await editor.say(id, '/rename');
      assert.match(lastText(editor, id) ?? '', /^Give a title/);
      await editor.say(id, '/fork');
      const said = lastText(editor, id) ?? '';
      const ids = [...(await titlesOf(editor)).keys()];
      const copy = ids.find((one) => one !== id) ?? assert.fail();
      assert.ok(said.includes(copy.slice(0, 8)), said);
      assert.equal(scene.model.requests.length, 1);
      await editor.load(copy);
      assert.deepEqual(
        (shown(editor.updates(copy)) as { text: string }[]).map(({ text }) => text),
        ['Yes.'],
      );
      // Anything else is a message.
      await editor.say(id, '/fork it');
      assert.equal(scene.model.requests.length, 2);
    },
  );
});

test(
  'a relative --config is a file in the folder of each session, wherever the process began',
  limited,
  async (context) => {
    const scene = await editorScene(context, () => ({ text: 'Yes.' }));
    const { journal } = scene;
    const flags = ['--config', 'conf/mcp.json'];
    const editor = await scene.connect({ flags, answer: async () => 'once' });
    const openIn = async (name: string, text: string | undefined) => {
      const folder = join(scene.folder, name);
      await mkdir(join(folder, 'conf'), { recursive: true });
      // The usual file is not read beside it.
      const usual = configOf({ usual: journal.entry('usual', [{ name: 'a' }]) });
      await writeFile(join(folder, 'toolfold.json'), usual);
      if (text !== undefined) await writeFile(join(folder, 'conf/mcp.json'), text);
      await editor.agent.request(session.new, { cwd: folder, mcpServers: [] });
    };
    for (const name of ['mail', 'calendar']) {
      await openIn(name, configOf({ [name]: journal.entry(name, [{ name: 'a' }]) }));
      await journal.until(`start ${name}`);
    }
    assert.deepEqual(journal.lines, ['start mail', 'start calendar']);
    await assert.rejects(openIn('broken', '{'), { code: -32603, message: /mcp\.json/ });
    await assert.rejects(openIn('none', undefined), { code: -32603, message: /conf\/mcp\.json/ });
  },
);
