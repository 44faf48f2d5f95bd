import { describe, test } from 'node:test';
import { storeCases } from '../../testing/store-cases/index.ts';
import { memoryStore } from './sqlite-store.ts';

describe('the store in memory', () => {
  for (const { name, run } of storeCases) test(name, () => run(memoryStore()));
});
