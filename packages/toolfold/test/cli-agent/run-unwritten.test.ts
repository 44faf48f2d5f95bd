// test: slow
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { outcomeOf, start } from '../cli/process.test-support.ts';
import { KEY, limited, MODEL, scene } from './run.test-support.ts';

/** A server whose tool never ends. It makes the file `called` when it is called. */
const SERVER = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'tools/call') return require('node:fs').writeFileSync('called', '');
  const result = method === 'initialize'
    ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
})`;

/** A run that is signalled while another process locks its session: while its tool runs, or while the model answers. */
async function locked(context: TestContext, during: 'call' | 'answer') {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const script = (): Reply => {
    asked.resolve();
    if (during === 'answer') return { text: 'Hello.', hold: answered.promise };
    return { calls: [{ name: 'files__wait', arguments: {} }] };
  };
  const slow = (cwd: string) => ({ command: process.execPath, args: ['-e', SERVER], cwd });
  const { folder, model, sessions } = await scene(context, script, { strategy: 'eager' }, slow);
  const flags = ['--model', MODEL, '--base-url', model.baseUrl('anthropic'), '--session', 'new'];
  const env = { ANTHROPIC_API_KEY: KEY, TOOLFOLD_SESSIONS: join(folder, 'sessions') };
  const child = start(folder, ['run', ...flags, '--allow', '*', 'Hello'], { env });
  context.after(() => child.kill('SIGKILL'));
  child.stdin?.end();
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const ended = outcomeOf(child);
  const shows = async (isShown: () => boolean) => {
    while (!isShown()) {
      assert.equal(child.exitCode, null, stderr);
      await setTimeout(20);
    }
  };
  await asked.promise;
  if (during === 'call') await shows(() => existsSync(join(folder, 'called')));
  const file = new DatabaseSync(join(folder, 'sessions', 'sessions.db'));
  context.after(() => file.close());
  file.exec('BEGIN IMMEDIATE');
  answered.resolve();
  if (during === 'answer') await shows(() => /cannot be written at present/.test(stderr));
  child.kill('SIGTERM');
  if (during === 'call') await shows(() => /still being written/.test(stderr));
  return { child, ended, sessions, unlock: () => file.exec('COMMIT') };
}

suite('an outcome that cannot be written yet', { concurrency: 2 }, () => {
  test('promise 69: is written before the command ends', limited, async (context) => {
    const { ended, unlock, sessions } = await locked(context, 'call');
    unlock();
    const { code, stderr } = await ended;
    assert.equal(code, 143, stderr);
    const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
    const { stdout } = await sessions('export', id);
    assert.match(stdout, /"kind":"result".*"isUnknown":true/);
    assert.match(stdout, /"reason":"cancelled"/);
  });

  test('is given up with a second signal', limited, async (context) => {
    const { child, ended } = await locked(context, 'call');
    child.kill('SIGTERM');
    assert.equal((await ended).code, 143);
  });

  test('promise 69: does not keep a command in which no call runs', limited, async (context) => {
    const { child, ended } = await locked(context, 'answer');
    child.stderr?.on('data', (data) => {
      if (String(data).includes('outcome of a call')) child.kill('SIGKILL');
    });
    const begun = performance.now();
    const { code, stderr } = await ended;
    assert.equal(code, 143, stderr);
    assert.ok(performance.now() - begun < 3_000);
    assert.doesNotMatch(stderr, /outcome of a call/);
  });
});
