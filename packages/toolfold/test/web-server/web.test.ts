// test: slow
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { home } from '../cli/process.test-support.ts';
import { limited, said, WebServer, webScene } from './web.test-support.ts';

const writing = (id?: string) => ({
  calls: [{ ...DISPATCH.call('files__write_note', { text: 'a' }), ...(id && { id }) }],
});
const config = { toolfold: { strategy: 'dispatch' } };

describe('toolfold web', limited, () => {
  test('a message, its answer, an approval and a rename are seen by all pages', async (context) => {
    const scene = await webScene(context, [writing(), { text: 'It is done.' }], config);
    const server = await scene.serve();
    const [page, other] = await Promise.all([server.page(), server.page()]);
    assert.equal(page.now.session.isStored, false);
    const { ok } = await server.send({ type: 'say', id: 'm1', text: 'Write.' });
    assert.equal(ok, true);
    const { questions, home } = await other.shows((state) => state.home.waiting.length > 0);
    assert.equal(questions[0]?.kind, 'approval');
    assert.deepEqual(home.waiting[0]?.question, questions[0]?.id);
    assert.deepEqual(await page.answer('nonsense'), {
      ...{ ok: false, code: 'invalid-answer', hint: 'Choose again.' },
      message: 'The question does not offer this answer.',
    });
    const [first, second] = await Promise.all([page.answer('once'), other.answer('reject')]);
    assert.deepEqual([first.ok, !second.ok && second.code], [true, 'gone']);
    for (const one of [page, other]) {
      const state = await one.shows(
        ({ session, bars }) => session.isStored && session.state === 'idle' && bars[1]?.usage,
      );
      assert.deepEqual(said(state), [['Write.', 'files__write_note done', 'It is done.']]);
      assert.deepEqual(
        state.bars.map(({ request, turn }) => [request, turn]),
        [
          [1, 0],
          [2, 0],
        ],
      );
      assert.ok(state.bars.every(({ usage }) => usage && usage.input > 0));
    }
    await server.send({ type: 'rename', title: 'Notes' });
    await page.shows(({ session }) => session.title === 'Notes');
    assert.match(page.now.session.wayBack, /^toolfold chat -r /);
    assert.match((await server.ask(`/api/export?session=${server.session}`)).text, /It is done/);
  });

  test('a POST that is sent twice is one message, also after a restart', async (context) => {
    const scene = await webScene(context, [{ text: 'One.' }, { text: 'Two.' }]);
    const server = await scene.serve();
    const page = await server.page();
    const say = { type: 'say', id: randomUUID(), text: 'Go.' } as const;
    await Promise.all([server.send(say), server.send(say)]);
    await page.shows(({ turns }) => turns[0]?.end);
    await server.send(say);
    await server.kill();
    const again = await scene.serve('--port', String(server.port));
    assert.equal(again.token, server.token);
    assert.deepEqual(await again.send(say, server.session), { ok: true });
    const back = await again.page(server.session);
    await back.say('More.');
    assert.deepEqual(said(back.now), [
      ['Go.', 'One.'],
      ['More.', 'Two.'],
    ]);
  });

  test('a new session and its message outlive a server that is killed before its turn', async (context) => {
    const scene = await webScene(context, [{ text: 'One.' }], {
      // It never lists its tools, so that the first turn waits.
      servers: (journal) => ({ silent: journal.entry('silent') }),
    });
    const server = await scene.serve('--wait', '60');
    const say = { type: 'say', id: randomUUID(), text: 'Go.' } as const;
    assert.deepEqual(await server.send(say), { ok: true });
    await server.kill();
    const again = await scene.serve('--wait', '0.1');
    const page = await again.page(server.session);
    assert.deepEqual(page.now.queue, [{ id: say.id, text: 'Go.', isLeft: true }]);
    await again.send(say, server.session);
    await page.shows(({ turns }) => turns[0]?.end);
    assert.deepEqual(said(page.now), [['Go.', 'One.']]);
    assert.equal(scene.model.requests.length, 1);
  });

  test('a server that is killed in an answer asks whether to go on', async (context) => {
    const { promise: never } = Promise.withResolvers<void>();
    let requests = 0;
    const scene = await webScene(context, () => {
      requests += 1;
      if (requests > 1) return { text: 'Finished.' };
      return {
        text: 'Half of an answer.',
        chunkSize: 4,
        pace: (sent) => (sent > 2 ? never : undefined),
      };
    });
    const server = await scene.serve();
    const page = await server.page();
    const say = { type: 'say', id: 'm1', text: 'Go.' } as const;
    await server.send(say);
    await page.shows(({ turns }) => turns[0]?.blocks.length);
    await server.kill();
    const again = await scene.serve();
    const back = await again.page(server.session);
    await again.send(say, server.session);
    const { questions, session } = await back.shows((state) => state.questions.length > 0);
    assert.equal(questions[0]?.kind, 'continue');
    assert.equal(session.canContinue, true);
    await back.answer('yes');
    await back.shows(({ turns }) => turns[0]?.end?.reason === 'done');
    assert.deepEqual(said(back.now), [['Go.', 'Finished.']]);
  });

  test('a server that is killed in a call asks what became of it, and runs it once', async (context) => {
    const hang = { calls: [DISPATCH.call('files__hang', {})] };
    const scene = await webScene(context, [hang, { text: 'I see.' }], {
      toolfold: { ...config.toolfold, approvals: { mode: 'never' } },
    });
    const server = await scene.serve();
    await server.send({ type: 'say', id: 'm1', text: 'Hang.' });
    await scene.journal.until('call files');
    await server.kill();
    const again = await scene.serve();
    const page = await again.page(server.session);
    await page.answer('yes');
    const { questions } = await page.shows((state) => state.questions[0]?.kind === 'unknown');
    assert.equal(questions[0]?.call?.name, 'files__hang');
    await page.answer('leave');
    await page.shows(({ turns }) => turns[0]?.end?.reason === 'done');
    assert.equal(scene.journal.lines.filter((line) => line === 'call files').length, 1);
  });

  test('the browser is opened without the token in the arguments of a process', {
    ...limited,
    skip: process.platform !== 'linux',
  }, async (context) => {
    const programs = await home(context);
    const opened = join(programs, 'opened');
    // The arguments are there at once, or not at all.
    const script = `#!/bin/sh\necho "$@" > ${opened}.new && mv ${opened}.new ${opened}\n`;
    await writeFile(join(programs, 'xdg-open'), script, { mode: 0o755 });
    const scene = await webScene(context, [], {
      variables: { PATH: `${programs}:${process.env.PATH}` },
    });
    const server = await WebServer.of(scene.spawn('web', '--port', '0', ...scene.flags));
    while (!existsSync(opened)) await pause(20);
    const file = fileURLToPath((await readFile(opened, 'utf8')).trim());
    assert.equal(file.includes(server.token), false);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const [, address = ''] = /url=([^"]+)"/.exec(await readFile(file, 'utf8')) ?? [];
    assert.equal(address.replaceAll('&amp;', '&'), server.url);
    // That is how the browser comes from there.
    const headers = {
      ...{ authorization: undefined, 'sec-fetch-site': 'cross-site' },
      'sec-fetch-mode': 'navigate',
    };
    assert.notEqual((await server.ask('/', { headers })).status, 403);
  });

  test('a second toolfold web opens the one that runs', async (context) => {
    const scene = await webScene(context, []);
    const server = await scene.serve();
    const file = join(scene.folder, 'data', 'toolfold', 'web-token');
    assert.equal((await readFile(file, 'utf8')).trim(), server.token);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    const second = await scene.serve('--port', String(server.port));
    assert.deepEqual([second.port, second.token], [server.port, server.token]);
    assert.notEqual(second.session, server.session);
    await second.page();
    assert.match(second.output, /toolfold web runs already/);
    for (const [signal, code] of [['SIGINT', 130]] as const)
      assert.equal(await server.stop(signal), code);
  });
});
