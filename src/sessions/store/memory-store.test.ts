import { describe, test } from 'node:test';
import { memoryStore } from './memory-store.ts';
import { STORE_CASES } from './store-cases.test-support.ts';

describe('the store in memory', () => {
  for (const { name, check } of STORE_CASES) test(name, () => check(async () => memoryStore()));
});
