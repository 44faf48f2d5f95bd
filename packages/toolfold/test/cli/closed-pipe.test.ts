// test: slow
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { KEY, limited, MODEL, scene, watchedServer } from '../cli-agent/run.test-support.ts';
import { home, start } from './process.test-support.ts';

/** Closes the command's stdout as `head` does, and returns its exit code and stderr. */
async function closed(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  const ended = once(child, 'close') as Promise<[number | null]>;
  child.stdin?.end();
  child.stdout?.destroy();
  const [stderr, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', ended]);
  return { code, stderr };
}

test('run: a closed pipe ends turn and servers without a message', limited, async (context) => {
  const { entry, gone } = await watchedServer(context);
  const { folder, model } = await scene(context, [
    { text: 'One line.', calls: [{ name: 'server__a', arguments: {} }] },
    // The request is never answered. Only the end of the command ends it.
    { hold: new Promise(() => {}) },
  ]);
  await writeFile(join(folder, 'c.json'), JSON.stringify({ mcpServers: { server: entry } }));
  const flags = ['--config', 'c.json', '--model', MODEL, '--base-url', model.baseUrl('anthropic')];
  const child = start(folder, ['run', '--json', ...flags, 'Go.'], {
    env: { ANTHROPIC_API_KEY: KEY },
  });
  if (child.stdout) await once(child.stdout, 'data');
  const { code, stderr } = await closed(child);
  await gone;
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /EPIPE|Cancelled|Tokens| {4}at /);
});

for (const flags of [['--json'], []]) {
  const name = ['inspect', ...flags].join(' ');
  test(`${name}: a closed pipe is no error`, limited, async (context) => {
    const { entry, gone } = await watchedServer(context);
    const folder = await home(context, {
      'c.json': JSON.stringify({ mcpServers: { server: entry } }),
    });
    const { code, stderr } = await closed(
      start(folder, ['inspect', '--config', 'c.json', ...flags]),
    );
    await gone;
    assert.deepEqual([code, stderr], [0, '']);
  });
}

for (const args of [['--help'], ['run', '--help'], ['--version']]) {
  test(`${args.join(' ')}: a closed pipe is no error`, limited, async (context) => {
    const folder = await home(context);
    assert.deepEqual(await closed(start(folder, args)), { code: 0, stderr: '' });
  });
}
