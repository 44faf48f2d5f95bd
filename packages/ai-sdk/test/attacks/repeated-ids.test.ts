// test: harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { product } from '@toolfold/testing/test/combinations.test-support.ts';
import { KINDS, type Part, scripted, TEXT, type World } from '../policy/attacks.test-support.ts';
import {
  answered,
  calling,
  each,
  foldOf,
  partsOf,
  START,
  STORES,
  STRATEGIES,
  type Strategy,
  someOf,
  turn,
} from './attacks.test-support.ts';

/** The ids of the two calls of the first answer, and of the call of the second. */
const IDS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'of their own': ['a', 'b', 'c'],
  'twice in an answer': ['a', 'a', 'b'],
  'of an earlier answer': ['a', 'b', 'a'],
  'all the same': ['a', 'a', 'a'],
  'that look like own ones': ['a', 'a', 'a_2'],
  empty: ['', '', ''],
  missing: [undefined, undefined, undefined],
};

interface Rule extends Pick<World, 'view'> {
  readonly asks?: true;
  readonly denies?: true;
}
const RULES: Readonly<Record<string, Rule>> = {
  'nobody asks': {},
  'a hook allows': { view: { hooks: { beforeToolCall: () => undefined } } },
  'a hook asks': { view: { hooks: { beforeToolCall: () => ({ ask: true }) } }, asks: true },
  'a hook denies': { view: { hooks: { beforeToolCall: () => ({ deny: 'No.' }) } }, denies: true },
  'the setting asks': { view: { toolApproval: () => 'user-approval' }, asks: true },
  'the setting denies': { view: { toolApproval: () => 'denied' }, denies: true },
};
/** The texts that the calls pass on. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  others: ['one', 'two', 'three'],
  'the same': ['one', 'one', 'one'],
};

const ALL = product({
  ids: Object.keys(IDS),
  rule: Object.keys(RULES),
  input: Object.keys(INPUTS),
  kind: KINDS,
  route: ['generateText', 'streamText', 'agent UI'],
  store: ['kept in memory', 'JSON', 'jsonb'],
  process: ['the same', 'another'],
});

async function play(strategy: Strategy, row: (typeof ALL)[number]): Promise<void> {
  const { kind, route, store, process } = row;
  const rule = RULES[row.rule] ?? assert.fail();
  const texts = INPUTS[row.input] ?? assert.fail();
  const ids = IDS[row.ids] ?? assert.fail();
  const calls = texts.map((text, at) => calling(strategy, kind, { text }, ids[at] as string));
  const runs: string[] = [];
  let prompts: Part[][] = [];
  const open = (steps: readonly (readonly Part[])[]) => {
    const read: never[] = [];
    prompts = read;
    const execute = ({ text }: { text: string }) => {
      runs.push(text);
      return { did: `${text} ${runs.length}` };
    };
    return foldOf(strategy, kind, { inputSchema: TEXT, execute }, scripted(steps, read), rule);
  };
  const steps = [calls.slice(0, 2), calls.slice(2)];
  let fields = open(steps);
  let said = await turn(route, START, fields);
  const known = new Set(said.asked.map(({ id }) => id));
  if (rule.asks) {
    assert.equal(known.size, 2, 'two questions about two calls');
    assert.deepEqual(runs, []);
    for (const asked of [1, 0]) {
      const talk = STORES[store]?.(answered(said)) ?? assert.fail();
      if (process === 'another') fields = open(asked === 1 ? steps.slice(1) : []);
      said = await turn(route, talk, fields);
      assert.equal(said.asked.length, asked, 'a later call is asked about, whatever its id');
      for (const { id } of said.asked) assert.ok(!known.has(id), `${id} again`);
      assert.deepEqual(runs, texts.slice(0, asked === 1 ? 2 : 3));
    }
  }
  assert.deepEqual(runs, rule.denies ? [] : texts);
  const sent = (prompts.at(-1) as never as { content: Part[] | string }[]).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  const of = (type: string) => sent.filter((part) => part.type === type);
  const onWire = of('tool-call').map(({ toolCallId }) => String(toolCallId));
  assert.equal(new Set(onWire).size, 3, `ids on the wire: ${onWire}`);
  assert.ok(
    onWire.every((id) => /^\w+$/.test(id)),
    `ids on the wire: ${onWire}`,
  );
  // The provider's own where it does not repeat.
  ids.forEach((id, at) => {
    if (id && ids.indexOf(id) === at && !onWire.slice(0, at).includes(id))
      assert.equal(onWire[at], id);
  });
  assert.deepEqual(
    of('tool-result').map(({ toolCallId }) => toolCallId),
    onWire,
    'each call has its result',
  );
  if (!rule.denies)
    assert.deepEqual(
      of('tool-result').map(({ output }) => (output as { value: { did: string } }).value.did),
      texts.map((text, at) => `${text} ${at + 1}`),
    );
  const own = said.messages.flatMap(partsOf).filter(({ type }) => type === 'tool-call');
  assert.equal(new Set(own.map(({ toolCallId }) => toolCallId)).size, 3, 'ids in the messages');
}

describe('promise 9: calls with ids', () => {
  for (const name of Object.keys(IDS))
    for (const strategy of STRATEGIES)
      test(`promise 9: ${name}: each runs or is refused by itself, ${strategy}`, async () => {
        const rows = someOf(ALL.filter(({ ids }) => ids === name));
        await each(rows, (row) => play(strategy, row));
      });
});
