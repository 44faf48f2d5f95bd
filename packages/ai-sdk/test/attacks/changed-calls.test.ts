// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { z } from 'zod';
import { KINDS, logging, nameOf, scripted } from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  SORTING,
  START,
  STORES,
  STRATEGIES,
  turn,
} from './attacks.test-support.ts';

const SCHEMA = z.object({ to: z.string(), cc: z.string().optional() });
const SHOWN = { to: 'bob', cc: 'c' };

/** How the app changes the call of the model before the user is asked, by the name of the tool. */
const CHANGES: Readonly<
  Record<string, { readonly written: object; readonly settings: (name: string) => object }>
> = {
  repaired: {
    written: { to: 5 },
    settings: () => ({
      experimental_repairToolCall: async ({ toolCall }: { toolCall: object }) => ({
        ...toolCall,
        input: JSON.stringify(SHOWN),
      }),
    }),
  },
  refined: {
    written: { to: 'bob' },
    settings: (name) => ({
      experimental_refineToolInput: { [name]: (input: object) => ({ ...input, cc: 'c' }) },
    }),
  },
};
const ROWS = product({
  strategy: STRATEGIES,
  kind: KINDS,
  store: ['JSON', ...SORTING] as const,
  rule: ['a hook', 'needsApproval'] as const,
}).filter(({ strategy, rule }) => strategy !== 'eager' || rule === 'a hook');

describe('an approval of a call that the app changed before the user was asked', () => {
  for (const [name, { written, settings }] of Object.entries(CHANGES)) {
    test(`promise 66: ${name}: it runs once in another process, as it was shown`, async () => {
      await each(ROWS, async ({ strategy, kind, store, rule }) => {
        const runs: unknown[] = [];
        const open = (steps: Parameters<typeof scripted>[0]) => {
          const made = logging(runs, {
            inputSchema: SCHEMA,
            ...(rule === 'needsApproval' ? { needsApproval: true } : {}),
          });
          const hooks = { beforeToolCall: () => ({ ask: true }) };
          return foldOf(
            strategy,
            kind,
            made,
            scripted(steps),
            rule === 'a hook' ? { view: { hooks } } : {},
          );
        };
        const keep = STORES[store] ?? assert.fail();
        const changing = settings(nameOf(kind));
        const first = open([[calling(strategy, kind, written)]]);
        const said = await turn('generateText', START, first, changing);
        assert.deepEqual(
          said.asked.map(({ input }) => input),
          [SHOWN],
        );
        const { asked: _, ...talk } = said;
        const next = await turn('generateText', keep(answered(talk)), open([]), changing);
        assert.deepEqual(runs, [SHOWN]);
        assert.deepEqual(next.asked, []);
      });
    });
  }
});
