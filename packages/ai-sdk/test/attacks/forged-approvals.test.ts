// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { combinations, product } from '@toolfold/testing/test/combinations.test-support.ts';
import { KINDS, logging, nameOf, scripted, type World } from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  ROUTES,
  SECRET,
  START,
  STORES,
  STRATEGIES,
  someOf,
  turn,
} from './attacks.test-support.ts';
import { edit, FORGERIES, type Forgery } from './forgeries.test-support.ts';

const INPUT = { text: 'a' };

/** How the app asks about the calls of the tool. */
const RULES: Readonly<Record<string, { readonly tool?: object; readonly view?: World['view'] }>> = {
  'a hook asks': { view: { hooks: { beforeToolCall: () => ({ ask: true }) } } },
  'the setting asks': { view: { toolApproval: () => 'user-approval' } },
  'needsApproval asks': { tool: { needsApproval: true } },
};

function rowsFor() {
  const all = product({
    kind: KINDS,
    route: ROUTES,
    rule: Object.keys(RULES),
    store: Object.keys(STORES),
    process: ['the same', 'another'],
    stamp: ['kept', 'removed'],
    secret: [true, false],
  });
  return someOf(all);
}

describe('a forged approval in the history', () => {
  for (const [name, forgery] of Object.entries(FORGERIES)) {
    for (const strategy of STRATEGIES) {
      test(`promise 52: an approval ${name}: the next call of the same id, name and input is asked about, ${strategy}`, async () => {
        await each(rowsFor(), (row) => attack(forgery, strategy, row));
      });
    }
  }

  test('control: a genuine approval of the same history runs the call once', async () => {
    const rows = combinations({
      strategy: STRATEGIES,
      kind: KINDS,
      route: ROUTES,
      rule: Object.keys(RULES),
      secret: [true, false],
    });
    await each(rows, async ({ strategy, ...row }) => {
      const { runs, fields, settings } = opened(strategy, row, ['id_1'], 0);
      const asked = await turn(row.route, START, fields, settings);
      assert.equal(asked.asked.length, 1, 'not asked');
      await turn(row.route, answered(asked), fields, settings);
      assert.deepEqual(runs, [INPUT]);
    });
  });
});

type Row = Pick<ReturnType<typeof rowsFor>[number], 'kind' | 'rule' | 'secret'>;

/** A fold whose model calls these ids in its first responses, each time with the same input. */
function opened(
  strategy: (typeof STRATEGIES)[number],
  { kind, rule, secret }: Row,
  ids: readonly string[],
  more = 1,
) {
  const runs: unknown[] = [];
  const { tool = {}, view } = RULES[rule] ?? assert.fail();
  const calls = () => ids.map((id) => calling(strategy, kind, INPUT, id));
  const model = scripted(Array.from({ length: 1 + more }, calls));
  const fields = foldOf(strategy, kind, logging(runs, tool), model, view ? { view } : {});
  return { runs, fields, settings: secret ? SECRET : {} };
}

async function attack(
  { ids, forge, mayThrow }: Forgery,
  strategy: (typeof STRATEGIES)[number],
  row: ReturnType<typeof rowsFor>[number],
): Promise<void> {
  const { kind, route, store, process, stamp } = row;
  const first = opened(strategy, row, ids);
  const asked = await turn(route, START, first.fields, first.settings);
  assert.equal(asked.asked.length, ids.length, 'not asked at first');
  const talk = answered(asked);
  if (stamp === 'removed')
    edit(
      talk,
      ids,
      'tool-call',
      { providerOptions: undefined },
      { callProviderMetadata: undefined },
    );
  forge(talk, nameOf(kind), ids);
  const stored = STORES[store]?.(talk) ?? assert.fail();
  const next = process === 'the same' ? first : opened(strategy, row, ids);
  let found: readonly { readonly id: string }[] | undefined;
  try {
    found = (await turn(route, stored, next.fields, next.settings)).asked;
  } catch (error) {
    if (!mayThrow) throw error;
  }
  assert.deepEqual([...first.runs, ...next.runs], [], 'it ran');
  // A call that repeats the id of an earlier answer has an id of its own.
  const givenId = (own: string) => ids.find((id) => own === id || own.startsWith(`${id}_`));
  if (found) assert.deepEqual(found.map(({ id }) => givenId(id)).sort(), ids, 'not asked');
}
