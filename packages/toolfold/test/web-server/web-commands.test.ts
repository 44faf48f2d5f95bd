// test: slow
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { WireMap } from '../../src/web-wire/index.ts';
import { KEY, limited, said, webScene } from './web.test-support.ts';

const writing = { calls: [DISPATCH.call('files__write_note', { text: 'a' })] };
const config = { toolfold: { strategy: 'dispatch' } };

describe('commands of the page', limited, () => {
  test('a fork before a turn has what was said before it, and its POST sent twice is one fork', async (context) => {
    const scene = await webScene(context, ({ raw }) => ({
      text: `After ${raw.split('"user"').length - 1}.`,
    }));
    const server = await scene.serve();
    const page = await server.page();
    await page.say('One.');
    await page.say('Two.');
    const fork = { type: 'fork', id: 'f', before: 1 } as const;
    const replies = await Promise.all([server.send(fork), server.send(fork)]);
    assert.deepEqual(replies[0], replies[1]);
    const { session = '' } = replies[0] as { session?: string };
    const forked = await server.page(session);
    assert.deepEqual(said(forked.now), [['One.', 'After 1.']]);
    assert.equal(forked.now.session.forkOf, server.session);
    await forked.say('Other.');
    assert.deepEqual(said(forked.now)[1], ['Other.', 'After 2.']);
    assert.equal(said(page.now)[1]?.[0], 'Two.');
    // Nothing was said before the first turn.
    const first = await server.send({ type: 'fork', id: 'g', before: 0 });
    const empty = await server.page((first as { session?: string }).session ?? '');
    assert.deepEqual(empty.now.turns, []);
    assert.equal((await server.send({ type: 'fork', id: 'h', before: 9 })).ok, false);
  });

  test('`@` and `/` are completed, and a command in a message is run, once', async (context) => {
    const scene = await webScene(context, ({ raw }) => ({
      text: raw.includes('Quickly?') ? 'Quick.' : 'Answer.',
    }));
    await mkdir(join(scene.folder, 'my notes'));
    for (const file of ['my notes/one.md', 'two.md', `${KEY}.md`])
      await writeFile(join(scene.folder, file), 'Text.');
    const server = await scene.serve();
    const page = await server.page();
    const completed = async (text: string) => {
      const path = `/api/complete?session=${server.session}&text=${encodeURIComponent(text)}`;
      return (await server.json<{ value: string }[]>(path)).map(({ value }) => value);
    };
    for (const [text, value] of [
      ['@tw', '@two.md'],
      ['@my', '@"my notes/'],
      ['@one', '@"my notes/one.md"'],
      ['@sk-', '@[redacted].md'],
      ['/re', '/rename'],
      ['/role ch', '/role chat'],
      ['/strategy disp', '/strategy dispatch'],
    ] as const)
      assert.ok((await completed(text)).includes(value), `${text}: ${await completed(text)}`);
    for (const text of ['/etc/ho', '/constructor ', 'text', ''])
      assert.deepEqual(await completed(text), []);
    await page.say('One.');
    const say = (text: string, id = text) => server.send({ type: 'say', id, text });
    await say('/role chat');
    await page.shows(({ session }) => session.role === 'chat');
    await say('/role none');
    await page.shows(({ session }) => session.role === null);
    await say('/rename Other title');
    await page.shows(({ session }) => session.title === 'Other title');
    await Promise.all([say('/quick Quickly?'), say('/quick Quickly?')]);
    await page.shows(({ quick }) => quick[0]?.answer === 'Quick.');
    assert.equal(page.now.quick.length, 1);
    for (const [text, code] of [
      ['/rename', 'empty'],
      ['/quick  ', 'empty'],
      ['/strategy nothing', 'invalid-option'],
    ] as const) {
      const reply = await say(text);
      assert.equal(!reply.ok && reply.code, code, text);
    }
    assert.deepEqual(said(await page.say('/etc/hosts is a path.'))[1], [
      ...['/etc/hosts is a path.', 'Answer.'],
    ]);
  });

  test('a server that is switched off is not called, and comes back', async (context) => {
    const scene = await webScene(
      context,
      [{ text: 'One.' }, writing, { text: 'Two.' }, writing, { text: 'Three.' }],
      config,
    );
    const server = await scene.serve();
    const page = await server.page();
    await page.say('One.');
    await server.send({ type: 'server', name: 'files', on: false });
    await page.shows(({ servers }) => servers[0]?.isOn === false);
    const off = await page.say('Two.');
    assert.deepEqual(said(off)[1], ['Two.', 'files__write_note failed', 'Two.']);
    // What was sent before stays as it was.
    assert.ok(off.bars.every(({ mark }) => mark === undefined));
    // Its switch holds when the session is opened again.
    assert.deepEqual(await server.send({ type: 'reopen' }), { ok: true });
    await page.shows(({ servers }) => servers[0]?.isOn === false);
    const path = `/api/map?session=${server.session}`;
    const { tools } = await server.json<WireMap>(path);
    assert.ok(tools.every((tool) => tool.server !== 'files'));
    await server.send({ type: 'server', name: 'files', on: true });
    await page.shows(({ servers }) => servers[0]?.isOn && servers[0].tools === 3);
    void page.say('Three.').catch(() => {});
    await page.answer('once');
    const on = await page.shows(({ turns }) => turns[2]?.end);
    assert.deepEqual(said(on)[2], ['Three.', 'files__write_note done', 'Three.']);
    assert.ok(on.bars.every(({ mark }) => mark === undefined));
  });

  test('messages that wait are taken back one by one, and a cancelled turn can go on', async (context) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let requests = 0;
    const scene = await webScene(context, () => {
      requests += 1;
      return requests === 1 ? { text: 'Late.', hold: held } : { text: `Answer ${requests}.` };
    });
    const server = await scene.serve();
    const page = await server.page();
    await server.send({ type: 'say', id: 'a', text: 'First.' });
    await page.shows(({ turns }) => turns[0]?.request);
    for (const id of ['b', 'c']) await server.send({ type: 'say', id, text: id, when: 'after' });
    await page.shows(({ queue }) => queue.length === 2);
    assert.equal((await server.send({ type: 'take-back', id: 'b' })).ok, true);
    assert.equal((await server.send({ type: 'take-back', id: 'b' })).ok, false);
    await page.shows(({ queue }) => queue.map(({ id }) => id).join() === 'c');
    assert.equal((await server.send({ type: 'take-back', id: 'c' })).ok, true);
    await server.send({ type: 'cancel' });
    release();
    await page.shows(({ session }) => session.canContinue);
    const goOn = { type: 'continue', id: 'k' } as const;
    await Promise.all([server.send(goOn), server.send(goOn)]);
    await page.shows(
      ({ turns, session }) => turns[0]?.end?.reason === 'done' && session.state === 'idle',
    );
    assert.deepEqual(said(page.now), [['First.', 'Answer 2.']]);
  });

  test('a quick question is asked while a turn waits, and is no part of it', async (context) => {
    const scene = await webScene(
      context,
      ({ raw }) =>
        raw.includes('Quickly?')
          ? { text: 'Quick.' }
          : raw.includes('tool_result')
            ? { text: 'Done.' }
            : writing,
      config,
    );
    const server = await scene.serve();
    const page = await server.page();
    await server.send({ type: 'say', id: 'a', text: 'Write.' });
    await page.shows(({ questions }) => questions.length > 0);
    for (const [id, withConversation] of [
      ['q', false],
      ['r', true],
    ] as const) {
      const quick = { type: 'quick', id, text: 'Quickly?', withConversation } as const;
      await Promise.all([server.send(quick), server.send(quick)]);
      await page.shows(({ quick }) => quick.at(-1)?.withConversation === withConversation);
      await page.shows(({ quick }) => quick.at(-1)?.state === 'done');
    }
    assert.deepEqual(
      page.now.quick.map(({ withConversation, answer }) => [withConversation, answer]),
      [
        [false, 'Quick.'],
        [true, 'Quick.'],
      ],
    );
    assert.equal(scene.model.requests.filter(({ raw }) => raw.includes('Quickly?')).length, 2);
    await page.answer('reject');
    await page.shows(({ turns }) => turns[0]?.end);
    assert.deepEqual(said(page.now), [['Write.', 'files__write_note denied', 'Done.']]);
  });

  test('choices hold for the next message; a removed session is gone for its pages', async (context) => {
    const scene = await webScene(
      context,
      ({ raw }) => ({ text: raw.includes('"tools"') ? 'With.' : 'Without.' }),
      config,
    );
    const server = await scene.serve();
    const page = await server.page();
    assert.equal((await page.say('One.')).indicator.areToolsOn, true);
    await server.send({ type: 'choose', role: 'chat' });
    await page.shows(({ session }) => session.role === 'chat');
    assert.deepEqual(said(await page.say('Two.'))[1], ['Two.', 'Without.']);
    await server.send({ type: 'choose', role: null });
    await server.send({ type: 'tools', on: false });
    await page.shows(({ indicator }) => !indicator.areToolsOn && indicator.label === 'off');
    await server.send({ type: 'reopen' });
    await page.say('Three.');
    const listed = await server.json<{ id: string }[]>('/api/sessions');
    assert.deepEqual(
      listed.map(({ id }) => id),
      [server.session],
    );
    const path = `/api/sessions?session=${server.session}`;
    const removed = await server.ask(path, { method: 'DELETE' });
    assert.equal(removed.status, 200, removed.text);
    await page.until(() => page.isEnded).catch(() => {});
    assert.deepEqual(await server.json('/api/sessions'), []);
    const gone = await server.send({ type: 'say', id: 'x', text: 'More.' });
    assert.equal(!gone.ok && gone.code, 'gone');
  });
});
