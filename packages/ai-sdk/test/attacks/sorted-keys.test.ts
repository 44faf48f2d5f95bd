// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  combinations,
  product,
  selected,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import {
  callOf,
  KINDS,
  type Kind,
  logging,
  type Part,
  type Prompt,
  resultsIn,
  scripted,
} from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  callingTool,
  each,
  foldOf,
  ROUTES,
  SECRET,
  SORTING,
  START,
  STORES,
  STRATEGIES,
  type Strategy,
  type Talk,
  turn,
} from './attacks.test-support.ts';

/** No key stands where a store that sorts would put it. */
const WRITTEN = {
  to: 'bob',
  subject: 'x',
  body: { zeta: 1, b: [{ y: 1, a: 2 }], alpha: 2 },
  cc: 'c',
};
const BODY = {
  zeta: z.number(),
  b: z.array(z.object({ y: z.number(), a: z.number() })),
  alpha: z.number(),
};
const PARTS = { to: z.string(), subject: z.string(), body: z.object(BODY), cc: z.string() };

const SCHEMAS: Readonly<Record<string, { readonly schema: unknown; readonly shown: object }>> = {
  'of zod': { schema: z.object(PARTS), shown: WRITTEN },
  'of zod, loose': { schema: z.looseObject({}), shown: WRITTEN },
  'of JSON Schema': { schema: jsonSchema({ type: 'object' }), shown: WRITTEN },
  'that adds a default': {
    schema: z.object({ urgent: z.boolean().default(true), ...PARTS }),
    shown: { urgent: true, ...WRITTEN },
  },
  'that strips': {
    schema: z.object({ to: z.string(), cc: z.string() }),
    shown: { to: 'bob', cc: 'c' },
  },
  'of a record': { schema: z.record(z.string(), z.unknown()), shown: WRITTEN },
};

const keysIn = (value: unknown): string => JSON.stringify(value);

describe(`a genuine approval from a store that sorts keys, ${selection}`, () => {
  for (const [name, { schema, shown }] of Object.entries(SCHEMAS)) {
    for (const kind of KINDS) {
      test(`promise 66: runs the approved call once in a fresh process: schema ${name}, ${kind}`, async () => {
        const all = product({
          strategy: STRATEGIES,
          route: ROUTES,
          store: SORTING,
          rule: ['a hook', 'needsApproval'],
          secret: [true, false],
        });
        // Without hooks `eager` shows calls of group tools as they were written.
        const isShown = ({ strategy, rule }: { strategy: Strategy; rule: string }) =>
          strategy !== 'eager' || kind === 'own' || rule === 'a hook' || shown === WRITTEN;
        await each(
          selected(all.filter(isShown)),
          async ({ strategy, route, store, rule, secret }) => {
            const runs: unknown[] = [];
            const settings = secret ? SECRET : {};
            const open = (steps: readonly (readonly Part[])[]) => {
              const made = logging(runs, {
                inputSchema: schema,
                ...(rule === 'needsApproval' ? { needsApproval: true } : {}),
              });
              const hooks = { beforeToolCall: () => ({ ask: true }) };
              const view = rule === 'a hook' ? { view: { hooks } } : {};
              return foldOf(strategy, kind, made, scripted(steps), view);
            };
            const keep = STORES[store] ?? assert.fail();
            const first = open([[calling(strategy, kind, WRITTEN)]]);
            const { asked, ...talk } = await turn(route, START, first, settings);
            assert.deepEqual(
              asked.map(({ input }) => input),
              [shown],
            );
            const next = await turn(route, keep(answered(keep(talk))), open([]), settings);
            assert.deepEqual(runs, [shown]);
            assert.deepEqual(next.asked, []);
            const later = {
              messages: [...next.messages, { role: 'user' as const, content: 'And?' }],
            };
            await turn('generateText', keep({ ...START, ...later }), open([]), settings);
            assert.equal(runs.length, 1, 'it ran again');
          },
        );
      });
    }
  }
});

/** Calls that are refused, each in its own way. */
function refusedCalls(strategy: Strategy, kind: Kind): Readonly<Record<string, readonly Part[]>> {
  const act = (input: unknown) => [calling(strategy, kind, input)];
  return {
    'denied by a hook': act({ ...WRITTEN, to: 'evil' }),
    'of invalid arguments': act({ cc: 5, to: ['x'], body: { zeta: 1 } }),
    'of an unknown tool': [callingTool(strategy, kind, 'g__nothing', WRITTEN)],
    'of a tool that loads late and asks': [
      callOf('note', { text: 'n' }, { toolCallId: 'id_0' }),
      callingTool(strategy, 'deferred', 'late__write', WRITTEN),
    ],
    'of an envelope without a name': [callOf('deferred_tool_call', { zeta: 1, b: WRITTEN })],
  };
}

const ROUTES_OF_RESULTS = ['generateText', 'streamText', 'agent UI'] as const;
const texts = (prompt: Prompt | undefined) => resultsIn(prompt).map(({ output }) => keysIn(output));

describe(`refusals from a store that sorts keys, ${selection}`, () => {
  for (const name of Object.keys(refusedCalls('dispatch', 'own'))) {
    test(`promise 66: the model reads the same bytes: the refusal of a call ${name}`, async () => {
      // In `eager` no tool loads late: the user is asked.
      const strategy = name.includes('loads late')
        ? STRATEGIES.filter((each) => each !== 'eager')
        : STRATEGIES;
      const rows = combinations({
        strategy,
        kind: KINDS,
        route: ROUTES_OF_RESULTS,
        store: SORTING,
      });
      await each(rows, async ({ strategy, kind, route, store }) => {
        const prompts: Prompt[] = [];
        const calls = refusedCalls(strategy, kind)[name] ?? assert.fail();
        const open = (steps: readonly (readonly Part[])[]) => {
          const made = logging([], { inputSchema: z.object(PARTS) });
          const write = tool(logging([], { inputSchema: z.object(PARTS) }) as never);
          const late = { needsApproval: true, ...(write as object) } as ToolSet[string];
          const act = tool(made as never) as ToolSet[string];
          const note = tool(logging([]) as never) as ToolSet[string];
          const groups = [
            { groupId: 'g', toolNames: ['act'], loader: async () => ({ act }) },
            { groupId: 'late', toolNames: ['write'], loader: async () => ({ write: late }) },
          ];
          const beforeToolCall = ({ arguments: { to } }: { arguments: { to?: unknown } }) =>
            to === 'evil' ? { deny: 'Not to evil.' } : undefined;
          return foldOf(strategy, kind, made, scripted(steps, prompts), {
            fold: { tools: { note, ...(kind === 'own' ? { act } : {}) }, groups },
            view: { hooks: { beforeToolCall } },
          });
        };
        const { messages, ui } = await turn(route, START, open([calls]));
        const sent = texts(prompts.at(-1));
        const later: Talk = {
          messages: [...messages, { role: 'user', content: 'And?' }],
          ui: [...ui, { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'And?' }] }],
        };
        await turn(route, later, open([]));
        const kept = texts(prompts.at(-1));
        await turn(route, STORES[store]?.(later) ?? assert.fail(), open([]));
        assert.deepEqual(texts(prompts.at(-1)), kept);
        assert.ok(kept.length > 0, 'no result');
        assert.deepEqual(kept, sent, 'not the bytes that were sent first');
      });
    });
  }
});

describe(`answers to loads and searches from a store that sorts keys, ${selection}`, () => {
  const deferring = STRATEGIES.filter((strategy) => strategy === 'dispatch');
  const loads: Readonly<Record<string, Part>> = {
    'a load': callOf('load_tools', { group_id: 'g', tool_names: ['act'] }, { toolCallId: 'id_1' }),
    'a search': callOf('tool_search', { query: 'act' }, { toolCallId: 'id_1' }),
  };
  for (const [name, load] of Object.entries(loads))
    for (const store of SORTING)
      test(`promise 66: the model reads the same bytes of ${name} beside a call, ${store}`, async () => {
        for (const strategy of deferring) {
          const prompts: Prompt[] = [];
          const open = (steps: readonly (readonly Part[])[]) => {
            const note = tool(logging([]) as never) as ToolSet[string];
            const act = tool(logging([], { inputSchema: z.object(PARTS) }) as never);
            const group = { groupId: 'g', toolNames: ['act'], loader: async () => ({ act }) };
            const fold = { tools: { note }, groups: [group as never] };
            return foldOf(strategy, 'deferred', logging([]), scripted(steps, prompts), { fold });
          };
          const beside = callingTool(strategy, 'own', 'note', { text: 'n' });
          const { messages } = await turn('generateText', START, open([[beside, load]]));
          const later: Talk = {
            ...START,
            messages: [...messages, { role: 'user', content: 'And?' }],
          };
          await turn('generateText', later, open([]));
          const kept = texts(prompts.at(-1));
          await turn('generateText', STORES[store]?.(later) ?? assert.fail(), open([]));
          assert.deepEqual(texts(prompts.at(-1)), kept);
          assert.equal(kept.length, 2);
        }
      });
});
