import { describe, test } from 'node:test';
import { storeCases } from '@toolfold/testing/internal/testing/store-cases';
import { memoryStore } from './sqlite-store.ts';

describe('the store in memory', () => {
  for (const { name, run } of storeCases) test(name, () => run(memoryStore()));
});
