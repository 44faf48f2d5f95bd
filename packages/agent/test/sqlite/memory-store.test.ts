import { describe, test } from 'node:test';
import { storeCases } from '@toolfold/testing/internal/store-cases/store-cases.ts';
import { memoryStore } from '../../src/sqlite/sqlite-store.ts';

describe('the store in memory', () => {
  for (const { name, run } of storeCases) test(name, () => run(memoryStore()));
});
