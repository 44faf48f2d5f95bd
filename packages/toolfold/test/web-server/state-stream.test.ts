import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { StateStream } from '../../src/web-server/state-stream.ts';
import { type Patch, patched, type WireState } from '../../src/web-wire/index.ts';
import { limited, said, webScene } from './web.test-support.ts';

describe('the stream of states', limited, () => {
  test('a client that reads nothing gets no patch, and then one for all that has changed', async () => {
    let count = 0;
    const made: number[] = [];
    const stream = new StateStream(
      () => {
        made.push(count);
        return {
          queue: [],
          notes: [{ id: 'n', text: `x${'y'.repeat(count)}` }],
        } as unknown as WireState;
      },
      () => {},
      () => {},
    );
    const reader = stream.body.getReader();
    const next = async () => {
      const { value } = await reader.read();
      const [, data = ''] = /\ndata: (.*)\n\n$/.exec(new TextDecoder().decode(value)) ?? [];
      return JSON.parse(data);
    };
    let state = (await next()) as WireState;
    for (count = 1; count < 500; count += 1) {
      stream.changed();
      if (count % 100 === 0) await pause(5);
    }
    // Nothing was made for who does not ask.
    assert.deepEqual(made, [0]);
    const patch = (await next()) as Patch;
    state = patched(state, patch);
    assert.equal(state.notes[0]?.text.length, 501);
    assert.deepEqual(patch, [['+', ['notes', 0, 'text'], 'y'.repeat(500)]]);
    stream.end();
    assert.equal((await reader.read()).done, true);
  });

  test('a client that reads nothing for half a minute is closed', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const ended = Promise.withResolvers<void>();
    let isDropped = false;
    const stream = new StateStream(
      () => ({}) as WireState,
      () => {
        isDropped = true;
      },
      ended.resolve,
    );
    await stream.body.getReader().read();
    context.mock.timers.tick(29_999);
    assert.equal(isDropped, false);
    context.mock.timers.tick(1);
    await ended.promise;
    assert.equal(isDropped, true);
  });

  test('a slow page costs the others nothing, and a closed one cancels nothing', async (context) => {
    const scene = await webScene(context, [{ text: 'word '.repeat(4_000), chunkSize: 20 }]);
    const server = await scene.serve();
    const [page, slow, closed] = [await server.page(), await server.page(), await server.page()];
    slow.pause();
    await server.send({ type: 'say', id: 'a', text: 'Go.' });
    await page.shows(({ turns }) => turns[0]?.blocks.length);
    closed.close();
    await page.shows(({ turns }) => turns[0]?.end?.reason === 'done');
    assert.equal(said(page.now)[0]?.[1]?.length, 20_000);
  });

  test('a page that is open gets each line for the user', async (context) => {
    const scene = await webScene(context, [], {
      servers: () => ({ broken: { command: process.execPath, args: ['-e', 'process.exit(1)'] } }),
    });
    const server = await scene.serve();
    const page = await server.page();
    const failures = ({ notes }: WireState) =>
      notes.filter(({ text }) => text.startsWith('broken is not ready')).length;
    await page.shows((state) => failures(state) === 1);
    assert.deepEqual(await server.send({ type: 'restart', name: 'broken' }), { ok: true });
    await page.shows((state) => failures(state) === 2);
  });

  test('a patch of one piece of text is small, however long the session is', async (context) => {
    const scene = await webScene(context, ({ raw }) =>
      raw.includes('Slowly.')
        ? { text: 'word '.repeat(60), chunkSize: 5, pace: () => pause(8) }
        : { text: 'Short.' },
    );
    const server = await scene.serve();
    const page = await server.page();
    for (let turn = 0; turn < 35; turn += 1) await page.say(`Message ${turn}`);
    assert.deepEqual([page.now.turns.length, page.now.earlier], [30, 5]);
    const before = await server.json<WireState['turns']>(
      `/api/turns?session=${server.session}&before=5`,
    );
    assert.deepEqual(
      before.map(({ user }) => user),
      [0, 1, 2, 3, 4].map((at) => `Message ${at}`),
    );
    page.patches.length = 0;
    await page.say('Slowly.');
    const middle = page.patches.toSorted((a, b) => a - b)[Math.floor(page.patches.length / 2)] ?? 0;
    context.diagnostic(`${page.patches.length} patches, the middle one ${middle} characters`);
    assert.ok(middle < 200, `${middle}`);
    assert.ok(Math.max(...page.patches) < 5_000, String(page.patches));
  });
});

describe('beside a terminal', limited, () => {
  const writing = { calls: [DISPATCH.call('files__write_note', { text: 'a' })] };

  for (const by of ['the page', 'the other process'] as const)
    test(`a question of another process is answered by ${by}, and leaves the page`, async (context) => {
      const scene = await webScene(context, [{ text: 'One.' }, writing, { text: 'Two.' }], {
        toolfold: { strategy: 'dispatch' },
      });
      const server = await scene.serve();
      const page = await server.page();
      await page.say('One.');
      const child = scene.spawn('acp', ...scene.flags);
      const send = (id: number, method: string, params: object) =>
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      let output = '';
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
      const until = async (isSo: () => boolean) => {
        while (!isSo()) await once(child.stdout ?? child, 'data');
      };
      send(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
      await until(() => output.includes('"id":0,'));
      send(1, 'session/resume', { sessionId: server.session, cwd: scene.folder, mcpServers: [] });
      await until(() => output.includes('"id":1,'));
      const prompt = [{ type: 'text', text: 'Write.' }];
      send(2, 'session/prompt', { sessionId: server.session, prompt });
      await page.shows(({ session }) => session.state === 'elsewhere');
      if (by === 'the page') assert.equal((await page.answer('once')).ok, true);
      else {
        const { questions } = await page.shows((state) => state.questions.length > 0);
        const asked = /^.*"session\/request_permission".*$/m;
        await until(() => asked.test(output));
        const [line = ''] = asked.exec(output) ?? [];
        const { id, params } = JSON.parse(line);
        const { optionId } = params.options.find(
          ({ kind }: { kind: string }) => kind === 'allow_once',
        );
        const result = { outcome: { outcome: 'selected', optionId } };
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
        await page.shows((state) => state.questions.length === 0);
        const question = questions[0]?.id ?? '';
        const late = await server.send({ type: 'answer', question, answer: { choice: 'once' } });
        assert.equal(!late.ok && late.code, 'gone');
      }
      await until(() => output.includes('end_turn'));
      const state = await page.shows(
        ({ session, turns }) => session.state === 'idle' && turns[1]?.end,
      );
      assert.deepEqual(said(state)[1], ['Write.', 'files__write_note done', 'Two.']);
      child.stdin?.end();
    });

  test('a signal ends the turn, and the session says so', async (context) => {
    const { promise: never } = Promise.withResolvers<void>();
    const scene = await webScene(context, [{ text: 'Late.', hold: never }]);
    const server = await scene.serve();
    const page = await server.page();
    await server.send({ type: 'say', id: 'a', text: 'Go.' });
    await page.shows(({ turns }) => turns[0]?.request);
    assert.equal(await server.stop('SIGTERM'), 143);
    const again = await scene.serve();
    const back = await again.page(server.session);
    assert.equal(back.now.turns[0]?.end?.reason, 'cancelled');
    assert.equal(await again.stop('SIGINT'), 130);
  });
});
