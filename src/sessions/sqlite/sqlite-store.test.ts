import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { STORE_CASES } from '../store/store-cases.test-support.ts';
import { sqliteStore } from './sqlite-store.ts';

describe('the store in a file', () => {
  for (const { name, check } of STORE_CASES) {
    test(name, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
      context.after(() => rm(folder, { recursive: true }));
      await check(async () => {
        const store = await sqliteStore({ folder });
        context.after(() => store.close());
        return store;
      });
    });
  }
});
