import { draftCases } from './draft-cases.ts';
import { entryCases } from './entry-cases.ts';
import { forkCases } from './fork-cases.ts';
import { inboxCases } from './inbox-cases.ts';
import { leaseCases } from './lease-cases.ts';
import { searchCases } from './search-cases.ts';
import { sessionCases } from './session-cases.ts';
import type { StoreCase } from './store-case.ts';

export type { StoreCase };

/** The behaviour that every store of sessions has: run each case with an empty store. */
export const storeCases: readonly StoreCase[] = [
  ...sessionCases,
  ...entryCases,
  ...forkCases,
  ...leaseCases,
  ...inboxCases,
  ...draftCases,
  ...searchCases,
  {
    name: 'a closed store is closed again without an error',
    run: async (store) => {
      await store.close();
      await store.close();
    },
  },
];
