import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { SessionStore } from '@toolfold/agent/internal/sessions/store.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { storeCases } from './store-cases.ts';

/** The names of the cases that a store fails. */
async function failedBy(change: (store: SessionStore) => SessionStore): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of storeCases)
    await run(change(memoryStore())).catch(() => void failed.push(name));
  return failed;
}

test('the cases notice each function of a store that does nothing', async () => {
  assert.deepEqual(await failedBy((store) => store), []);
  const { name: _, close: __, ...functions } = memoryStore();
  for (const key of Object.keys(functions)) {
    const failed = await failedBy((store) => ({ ...store, [key]: async () => undefined }));
    assert.ok(failed.length > 0, key);
  }
});

test('a case that fails leaves the clock as it was', async () => {
  const { now } = Date;
  await failedBy((store) => ({ ...store, renew: async () => assert.fail() }));
  assert.equal(Date.now, now);
});

test('neither entry of @toolfold/testing loads SQLite', () => {
  for (const entry of ['index.ts', 'store-cases.ts']) {
    const script = `await import(${JSON.stringify(new URL(`../${entry}`, import.meta.url).href)});
      console.log(process.moduleLoadList.some((name) => /sqlite/.test(name)));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(output.toString().trim(), 'false', entry);
  }
});
