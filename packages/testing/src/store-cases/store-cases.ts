import { concurrentCases } from './concurrent-cases.ts';
import { draftCases, entryCases, runCases, searchCases } from './entry-cases.ts';
import { inboxCases, leaseCases } from './inbox-cases.ts';
import { forkCases, sessionCases } from './session-cases.ts';
import type { StoreCase } from './writer.ts';

/** The behaviour that every store of sessions has: run each case with an empty store. */
export const storeCases: readonly StoreCase[] = [
  ...sessionCases,
  ...entryCases,
  ...runCases,
  ...forkCases,
  ...leaseCases,
  ...inboxCases,
  ...draftCases,
  ...searchCases,
  ...concurrentCases,
  {
    name: 'a closed store is closed again without an error',
    run: async (store) => {
      await store.close();
      await store.close();
    },
  },
];
