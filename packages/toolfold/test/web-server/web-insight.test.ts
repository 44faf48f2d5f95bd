// test: slow
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ExposureChange, WireMap, WirePreview, WirePrompt } from '../../src/web-wire/index.ts';
import { limited, type WebServer, webScene } from './web.test-support.ts';

const hiding: ExposureChange = { files__hang: 'hidden' };

/** The rules in the file, and its whole text. */
async function fileOf({ folder }: { readonly folder: string }) {
  const text = await readFile(join(folder, 'toolfold.json'), 'utf8');
  return { text, rules: JSON.parse(text).toolfold.exposure as unknown };
}

async function previewOf(server: WebServer, change: ExposureChange): Promise<WirePreview> {
  const reply = await server.send({ type: 'preview', change });
  assert.ok(reply.ok, JSON.stringify(reply));
  return reply.value as WirePreview;
}

describe('what the page shows of requests and tools', limited, () => {
  test('bars hold what was sent and counted, live and opened again, and open into texts', async (context) => {
    const scene = await webScene(
      context,
      [{ calls: [DISPATCH.call('files__read_note', {})] }, { text: 'It is 42.' }],
      { toolfold: { strategy: 'dispatch', approvals: { mode: 'never' } } },
    );
    const server = await scene.serve();
    const page = await server.page();
    await page.say('Read.');
    const { bars } = await page.shows((state) => state.bars[1]?.usage);
    for (const { total, pieces, usage, mark, model } of bars) {
      assert.equal(
        total,
        pieces.reduce((sum, { tokens }) => sum + tokens, 0),
      );
      assert.ok(usage && usage.share === usage.cacheRead / usage.input);
      assert.deepEqual([mark, model], [undefined, 'anthropic/claude-opus-5-5']);
    }
    const prompt = (at: number) =>
      server.json<WirePrompt>(`/api/prompt?session=${server.session}&request=${at}`);
    const [first, second] = [await prompt(1), await prompt(2)];
    const fresh = second.parts.filter(({ isNew }) => isNew);
    assert.deepEqual(
      second.parts.slice(0, first.parts.length).map(({ hash }) => hash),
      first.parts.map(({ hash }) => hash),
    );
    assert.equal(fresh.length, second.parts.length - first.parts.length);
    assert.match(fresh.map(({ text }) => text).join(), /The answer is 42/);
    assert.equal((await server.ask(`/api/prompt?session=${server.session}&request=9`)).status, 404);
    await server.kill();
    const again = await scene.serve();
    // The first state has them all.
    assert.deepEqual((await again.page(server.session)).now.bars, bars);
  });

  test('the map counts calls, and a change of exposure is foreseen, written, undone and read again', async (context) => {
    const scene = await webScene(
      context,
      [{ calls: [DISPATCH.call('files__read_note', {})] }, { text: 'It is 42.' }, { text: 'Two.' }],
      { toolfold: { strategy: 'eager', approvals: { mode: 'never' } } },
    );
    const server = await scene.serve();
    const page = await server.page();
    await page.say('Read.');
    const map = () => server.json<WireMap>(`/api/map?session=${server.session}`);
    const before = await fileOf(scene);
    const tools = (await map()).tools.filter(({ server: of }) => of === 'files');
    assert.deepEqual(
      tools.map(({ name, status, calls, lastUse }) => [name, status, calls, lastUse !== undefined]),
      [
        ['files__hang', 'declared', 0, false],
        ['files__read_note', 'declared', 1, true],
        ['files__write_note', 'declared', 0, false],
      ],
    );
    assert.ok(tools.every(({ tokens }) => tokens && tokens > 0));
    const path = `/api/tool?session=${server.session}&name=files__read_note`;
    assert.equal((await server.json<{ name: string }>(path)).name, 'files__read_note');
    const preview = await previewOf(server, hiding);
    assert.ok(preview.after < preview.before && preview.again > 0);
    assert.deepEqual(
      preview.diff.filter(({ mark }) => mark !== ' ').map(({ mark, line }) => mark + line.trim()),
      ['-{}', '+{', '+"files__hang": "hidden"', '+}'],
    );
    assert.equal((await fileOf(scene)).text, before.text);
    const prune = { type: 'prune', id: 'p', change: hiding, base: preview.base } as const;
    const stale = await server.send({ ...prune, base: 'other' });
    assert.equal(!stale.ok && stale.code, 'invalid-config');
    const twice = await Promise.all([server.send(prune), server.send(prune)]);
    assert.deepEqual(twice, [{ ok: true }, { ok: true }]);
    assert.deepEqual((await fileOf(scene)).rules, hiding);
    await page.shows(({ session }) => session.isConfigChanged);
    assert.equal((await server.send({ type: 'reopen' })).ok, true);
    await page.shows(({ session }) => !session.isConfigChanged);
    const statuses = (await map()).tools.map(({ name, status }) => `${name} ${status}`);
    assert.ok(statuses.includes('files__hang hidden'), String(statuses));
    // A change can be undone also by a session that was opened behind it.
    assert.equal((await map()).canUndo, true);
    const undo = { type: 'undo', id: 'u' } as const;
    await Promise.all([server.send(undo), server.send(undo)]);
    assert.equal((await fileOf(scene)).text, before.text);
    const nothing = await server.send({ type: 'undo', id: 'v' });
    assert.equal(!nothing.ok && nothing.code, 'nothing-to-undo');
  });

  test('a file that was changed by hand is neither overwritten nor undone', async (context) => {
    const scene = await webScene(context, []);
    const server = await scene.serve();
    const file = join(scene.folder, 'toolfold.json');
    const { base } = await previewOf(server, hiding);
    const { text } = await fileOf(scene);
    await writeFile(file, `${text}\n`);
    const late = await server.send({ type: 'prune', id: 'p', change: hiding, base });
    assert.equal(!late.ok && late.code, 'invalid-config');
    const now = await previewOf(server, hiding);
    await server.send({ type: 'prune', id: 'q', change: hiding, base: now.base });
    const written = (await fileOf(scene)).text;
    await writeFile(file, `${written}\n`);
    const undo = await server.send({ type: 'undo', id: 'u' });
    assert.equal(!undo.ok && undo.code, 'invalid-config');
    assert.equal((await fileOf(scene)).text, `${written}\n`);
  });
});
