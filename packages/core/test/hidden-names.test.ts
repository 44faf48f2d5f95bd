import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { createToolLayer } from '../src/session/layer.ts';
import type { SessionOptions, ToolLayerOptions } from '../src/session/options.ts';
import type { DeferredToolGroup, ToolSummary } from '../src/tool/group.ts';
import { isStrategyName, strategies } from '../src/tool/strategies.ts';
import { Conversation, simpleTools, text } from './conversation.test-support.ts';

const HIDDEN = 'wipe_disk';
/** As long, and no name of anything. */
const UNKNOWN = 'wopq_disk';

interface Way {
  readonly layer?: ToolLayerOptions;
  readonly session?: SessionOptions;
  readonly hidden?: Omit<ToolSummary, 'name'>;
}

/** All ways to keep one tool of a group from a run. */
const ways: Readonly<Record<string, Way>> = {
  'a role': {
    layer: { roles: { user: { tools: ['a__read', 'a__write'] } } },
    session: { role: 'user' },
  },
  'a role of globs': {
    layer: { roles: { user: { tools: ['*__r*'] } } },
    session: { role: 'user' },
  },
  'a rule for its name': { layer: { exposure: { [`a__${HIDDEN}`]: 'hidden' } } },
  'a rule for any such name': { layer: { exposure: { '*wipe*': 'hidden' } } },
  'a rule within its group': { layer: { exposure: { 'mcp:a/wi*': 'hidden' } } },
  'globs of the session': { session: { only: ['a__read'] } },
  'a denial of the session': { session: { without: [`a__${HIDDEN}`] } },
};
/** These are known only of tools that are listed. */
const marks: Readonly<Record<string, Way>> = {
  'a mark in the list': { hidden: { exposure: 'hidden' } },
  'its server': { hidden: { meta: { ui: { visibility: ['app'] } } } },
};

const asks = (name: string): readonly (readonly [string, unknown])[] => [
  [`a__${name}`, {}],
  [name, {}],
  [`mcp:a/${name}`, {}],
  [`A__${name.toUpperCase()}`, {}],
  ['deferred_tool_call', { tool_name: `a__${name}`, arguments: {} }],
  ['deferred_tool_call', { tool_name: `mcp:a/${name}` }],
  ['tool_call', { name: `a__${name}`, arguments: {} }],
  ['tool_describe', { name: `a__${name}` }],
  ['tool_describe', { names: [name, `a__${name}`, `mcp:a/${name}`] }],
  ['request_tool', { name: `a__${name}` }],
  ['request_tool', { name }],
  ['load_tools', { group_id: 'mcp:a', tool_names: [name] }],
  ['load_tools', { group_id: 'mcp:a', tool_names: [`a__${name}`] }],
  ['load_tools', { group_id: 'mcp:b', tool_names: [name] }],
  ['load_tools', { group_id: `a__${name}` }],
  ['load_tools', { tool_names: [name] }],
  ['tool_search', { query: name }],
  ['tool_search', { queries: [`a__${name}`, name] }],
];

type Loader = 'fails' | 'returns';

/** What the model is told, and how often the loader ran for it. */
async function ask(
  way: Way,
  strategy: string,
  call: readonly [string, unknown],
  loader: Loader,
  isListed: boolean,
) {
  let runs = 0;
  const warnings: string[] = [];
  const tools = simpleTools('read', 'write', HIDDEN);
  const group: DeferredToolGroup = {
    groupId: 'mcp:a',
    ...(isListed ? { toolSummaries: tools.map(({ name }) => summaryOf(way, name)) } : {}),
    loader: async () => {
      runs++;
      if (loader === 'fails') throw new Error('connection refused');
      return tools.map((tool) => ({ ...tool, ...summaryOf(way, tool.name) }));
    },
  };
  const layer = createToolLayer({
    groups: [group],
    ...way.layer,
    strategy: strategy as 'dispatch',
    onWarning: (warning) => warnings.push(warning),
  });
  const conversation = new Conversation(layer.session(way.session ?? {}));
  const [first] = [await conversation.answer(...call)];
  const second = await conversation.answer(...call);
  return { told: text([first, second]), runs, warnings: text(warnings) };
}

function summaryOf({ hidden }: Way, name: string): ToolSummary {
  return name === HIDDEN ? { name, ...hidden } : { name };
}

/** One call of a name under one strategy. */
interface Asked {
  readonly strategy: string;
  readonly call: readonly [string, unknown];
  /** The same call with the name that is unknown. */
  readonly twin: readonly [string, unknown];
}

const ASKED: readonly Asked[] = Object.keys(strategies)
  .filter((strategy) => isStrategyName(strategy) && strategy !== 'eager')
  .flatMap((strategy) =>
    asks(HIDDEN).map((call, index) => ({ strategy, call, twin: asks(UNKNOWN)[index] ?? call })),
  );

/** Each call under each strategy, with every way, every loader, listed and not: every pair of these, or all. */
const ROWS = selected(
  ASKED.flatMap((asked) =>
    Object.keys({ ...ways, ...marks }).flatMap((what) =>
      (what in marks ? [true] : [true, false]).flatMap((isListed) => {
        // There a call is the only way to such a group.
        const isOnlyWay = asked.strategy === 'lazy' && !isListed;
        const loaders: readonly Loader[] = isOnlyWay ? ['returns'] : ['fails', 'returns'];
        return loaders.map((loader) => ({ asked, what, isListed, loader }));
      }),
    ),
  ),
);

suite(`names that are hidden, before anything has loaded, ${selection}`, () => {
  const tests = Map.groupBy(ROWS, ({ asked: { strategy }, what, isListed }) => {
    const where = isListed ? 'a group with a list' : 'a group without one';
    return `in ${strategy}, by ${what}, in ${where}`;
  });
  for (const [title, rows] of tests)
    test(`promise 20: are answered as unknown ones are, ${title}`, async () => {
      for (const { asked, what, isListed, loader } of rows) {
        const { strategy, call, twin } = asked;
        const way = { ...ways, ...marks }[what] ?? assert.fail();
        const hidden = await ask(way, strategy, call, loader, isListed);
        const unknown = await ask(way, strategy, twin, loader, isListed);
        const told = hidden.told
          .replaceAll(HIDDEN, UNKNOWN)
          .replaceAll(HIDDEN.toUpperCase(), UNKNOWN.toUpperCase());
        assert.equal(told, unknown.told, text(call));
        assert.equal(hidden.warnings, unknown.warnings, text(call));
        if (strategy !== 'lazy' || isListed) assert.equal(hidden.runs, unknown.runs, text(call));
        const namesTool = !['load_tools', 'tool_search'].includes(call[0]);
        if (namesTool) assert.equal(hidden.runs, 0, text(call));
      }
    });

  test('promise 26: where nothing is hidden, a name that nobody listed may still turn out to be there', async () => {
    const call = ['deferred_tool_call', { tool_name: 'a__more', arguments: {} }] as const;
    for (const isListed of [true, false]) {
      const { runs, told } = await ask({}, 'dispatch', call, 'returns', isListed);
      assert.deepEqual([runs, /unknown_tool/.test(told)], [1, true]);
    }
  });
});
