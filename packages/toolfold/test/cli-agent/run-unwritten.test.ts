// test: slow
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, type TestContext, test } from 'node:test';
import { outcomeOf, start } from '../cli/process.test-support.ts';
import { KEY, limited, MODEL, scene } from './run.test-support.ts';

/** A run whose session is locked by another process, after its first signal. */
async function locked(context: TestContext) {
  const asked = Promise.withResolvers<void>();
  const { folder, model, sessions } = await scene(context, () => {
    asked.resolve();
    return { hold: new Promise(() => {}) };
  });
  const flags = ['--model', MODEL, '--base-url', model.baseUrl('anthropic'), '--session', 'new'];
  const env = { ANTHROPIC_API_KEY: KEY, TOOLFOLD_SESSIONS: join(folder, 'sessions') };
  const child = start(folder, ['run', ...flags, 'Hello'], { env });
  child.stdin?.end();
  const told = new Promise<void>((resolve) => {
    child.stderr?.on('data', (data) => /still being written/.test(String(data)) && resolve());
  });
  const ended = outcomeOf(child);
  await asked.promise;
  const file = new DatabaseSync(join(folder, 'sessions', 'sessions.db'));
  context.after(() => file.close());
  file.exec('BEGIN IMMEDIATE');
  child.kill('SIGTERM');
  await Promise.race([told, ended.then(() => assert.fail('the command has ended'))]);
  return { child, ended, sessions, unlock: () => file.exec('COMMIT') };
}

suite('an outcome that cannot be written yet', { concurrency: 2 }, () => {
  test('promise 69: is written before the command ends', limited, async (context) => {
    const { ended, unlock, sessions } = await locked(context);
    unlock();
    const { code, stderr } = await ended;
    assert.equal(code, 143, stderr);
    const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
    assert.match((await sessions('export', id)).stdout, /"reason":"cancelled"/);
  });

  test('is given up with a second signal', limited, async (context) => {
    const { child, ended } = await locked(context);
    child.kill('SIGTERM');
    assert.equal((await ended).code, 143);
  });
});
