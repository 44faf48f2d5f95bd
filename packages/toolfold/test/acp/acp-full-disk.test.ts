// test: slow
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { type Editor, editorScene, limited, shown } from './acp.test-support.ts';

const WRITE: Reply = { calls: [{ name: 'files__write_note', arguments: { text: 'x' } }] };

/** A small file system that can be filled. Undefined if this user cannot mount one. */
async function smallDisk(context: TestContext) {
  const disk = await mkdtemp(join(tmpdir(), 'toolfold-disk-'));
  let isMounted = false;
  context.after(async () => {
    if (isMounted) execFileSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  });
  try {
    const options = { stdio: 'ignore' } as const;
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], options);
    isMounted = true;
  } catch {
    return;
  }
  const ballast = join(disk, 'ballast');
  return {
    env: { TOOLFOLD_SESSIONS: join(disk, 'sessions') },
    fill: () => writeFile(ballast, Buffer.alloc(2_000_000)).catch(() => {}),
    free: () => rm(ballast),
  };
}

/** A session whose disk is full when the user has allowed a call. */
async function fullDisk(context: TestContext) {
  const scene = await editorScene(context, [WRITE, { text: 'Written.' }]);
  const disk = await smallDisk(context);
  if (!disk) return context.skip('this user cannot mount a file system');
  const { env, fill, free } = disk;
  const answer = async () => {
    await fill();
    return 'once';
  };
  const editor = await scene.connect({ env, answer });
  return { scene, editor, id: await editor.begin(), free, env };
}

const said = (editor: Editor, id: string) =>
  (shown(editor.updates(id)) as { readonly text?: string }[]).flatMap(({ text = [] }) => text);

suite('toolfold acp on a full disk', () => {
  test('the editor is told, and with space the turn goes on', limited, async (context) => {
    const begun = await fullDisk(context);
    if (!begun) return;
    const { scene, editor, id, free } = begun;
    const turn = editor.say(id, 'Write');
    await editor.until(() => said(editor, id).length > 0);
    assert.match(said(editor, id)[0] ?? '', /^The sessions cannot be written.*disk may be full/);
    assert.deepEqual(scene.journal.lines, ['start files'], 'no call runs before it is written');
    await free();
    assert.equal(await turn, 'end_turn');
    assert.deepEqual(said(editor, id).slice(1), ['The sessions are written again.', 'Written.']);
    assert.deepEqual(scene.journal.lines, ['start files', 'call files']);
    assert.equal(await editor.end(), 0);
  });

  test('the process ends with the editor, and nothing runs twice', limited, async (context) => {
    const begun = await fullDisk(context);
    if (!begun) return;
    const { scene, editor, id, free, env } = begun;
    editor.say(id, 'Write').catch(() => {});
    await editor.until(() => said(editor, id).length > 0);
    const begin = performance.now();
    assert.equal(await editor.end(), 0);
    assert.ok(performance.now() - begin < 20_000);
    await free();
    const other = await scene.connect({
      env,
      answer: async () => 'once',
    });
    await other.load(id);
    assert.equal(await other.say(id, '/continue'), 'end_turn');
    assert.equal(scene.journal.lines.filter((line) => line === 'call files').length, 1);
  });
});
