import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { fakeTools } from '@toolfold/testing/internal/doubles/fake-tools.ts';
import fc from 'fast-check';
import { simpleTools } from '../../test/conversation.test-support.ts';
import { estimate, measure } from '../estimate.ts';
import { Toolbox } from '../registry/toolbox.ts';
import { everything } from '../registry/view.ts';
import { createLexicalSearch } from '../search.ts';
import { createToolLayer } from '../session/layer.ts';
import type { SessionOptions, ToolLayerOptions } from '../session/options.ts';
import { Bridges } from '../tool/bridges.ts';
import { PLAIN_APPEND } from '../tool/declared-tools.ts';
import type { DeferredToolGroup } from '../tool/group.ts';
import { estimateTokens } from '../tool/tokens.ts';
import { chooseStrategy } from './auto.ts';
import { DEFAULT_PRICES, DEFAULT_WORKLOAD, estimateCost } from './cost.ts';
import { listTools } from './tool-list.ts';

/** What a choice is made from, for a view of everything. */
function choiceInputs(groups: readonly DeferredToolGroup[]): Parameters<typeof chooseStrategy>[0] {
  const toolbox = new Toolbox({
    ...{ tools: [], groups, rules: {}, reserved: new Set() },
    ...{ search: createLexicalSearch(), loaderCache: new Map(), warn: () => {} },
  });
  const [bridges, list] = [new Bridges({}, undefined), listTools(toolbox, everything)];
  const unset = { append: undefined, contextWindow: undefined };
  return {
    toolbox,
    view: everything,
    list,
    bridges,
    catalog: {},
    countTokens: estimateTokens,
    ...unset,
  };
}

function decide(options: ToolLayerOptions, contextWindow?: number) {
  const session = createToolLayer(options).session(
    contextWindow === undefined ? {} : { contextWindow },
  );
  return session.explain();
}

/** What was compared: the cost of deferral and of eager. */
function compare(reason: string): readonly [number, number] | undefined {
  const found = /estimated ([\d,]+) (?:uncached )?tokens, and ([\d,]+) with every schema/.exec(
    reason,
  );
  const number = (text = '') => Number(text.replaceAll(',', ''));
  return found ? [number(found[1]), number(found[2])] : undefined;
}

suite('auto', () => {
  test('promise 34: never costs more than eager on its own estimate, and says what it compared', () => {
    const sizes = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 60 }),
        schemaTokens: fc.option(fc.nat({ max: 60_000 }), { nil: undefined }),
        listed: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    const workload = fc.record({
      turns: fc.integer({ min: 1, max: 20 }),
      loads: fc.nat({ max: 10 }),
      perTurn: fc.nat({ max: 2_000 }),
    });
    const known = fc.record({
      write: fc.constantFrom(1, 1.25, 2),
      read: fc.constantFrom(0, 0.1, 0.5, 1),
    });
    const prices = fc.oneof({ arbitrary: known, weight: 2 }, fc.constant('unknown' as const));
    const window = fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined });
    let deferred = 0;
    fc.assert(
      fc.property(sizes, workload, prices, window, (groups, workload, prices, contextWindow) => {
        const made = groups.map(({ count, schemaTokens, listed }, i) => ({
          ...fakeGroup({ groupId: `mcp:${i}`, count, names: listed }),
          ...(schemaTokens === undefined ? {} : { schemaTokens }),
        }));
        const { strategy, reason, tools } = decide(
          { groups: made, auto: { workload, prices } },
          contextWindow,
        );
        assert.ok(reason.length > 0);
        if (prices !== 'unknown') assert.doesNotMatch(reason, /no cache price/);
        const compared = compare(reason);
        if (strategy === 'eager') return;
        deferred++;
        assert.ok(compared && compared[0] < compared[1], reason);
        const told = made.every(({ schemaTokens }) => schemaTokens !== undefined);
        if (!told || tools.length === 0) return;
        const schemas = groups.reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
        const growth = Array.from({ length: workload.turns }, () => ({
          messages: workload.perTurn,
          tools: 0,
        }));
        const counted = prices === 'unknown' ? { write: 1, read: 0 } : prices;
        const eager = estimateCost(Math.round(schemas), growth, counted).cost;
        assert.ok(Math.abs(eager - compared[1]) <= 1 + eager / 1_000);
      }),
      { numRuns: 200 },
    );
    assert.ok(deferred > 20);
  });

  test('promise 34: few schemas are not worth deferring, many are, and why is said', () => {
    assert.match(
      decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 5 })] }).reason,
      /only about 1,650 tokens together \(estimated for 5 tools that have not loaded\), and auto defers from 4,000 on$/,
    );
    const many = decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 60 })] });
    assert.equal(many.strategy, 'dispatch');
    assert.match(many.reason, /^deferring is cheaper: /);
    const free = {
      auto: { prices: { write: 1, read: 0 }, workload: { turns: 1, loads: 12, perTurn: 5_000 } },
    };
    assert.equal(
      decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 30 })], ...free }).strategy,
      'eager',
    );
  });

  test('promise 34: without a known price tokens processed are compared, however few the schemas are', () => {
    const choose = (count: number, schemaTokens: number) => {
      const group = { ...fakeGroup({ groupId: 'mcp:a', count }), schemaTokens };
      return createToolLayer({ groups: [group] })
        .session({ prices: 'unknown' })
        .explain();
    };
    const numberOf = (text = '') => Number(text.replaceAll(',', ''));
    const said =
      /in a task of 8 requests and 2 loads the model has to read an estimated ([\d,]+) tokens, and ([\d,]+) with every schema \(no cache price is known, so each token counts once\)$/;
    const [few, many] = [choose(4, 500), choose(14, 1_800)];
    assert.deepEqual([few.strategy, many.strategy], ['eager', 'dispatch']);
    assert.match(few.reason, /^every schema is sent, because deferring is not cheaper: /);
    assert.match(many.reason, /^deferring is cheaper: /);
    const [, deferred, eager] = said.exec(many.reason) ?? [];
    // Every token once, whatever is sent again: the schemas, and what eight requests add.
    assert.equal(numberOf(eager), 1_800 + 8 * DEFAULT_WORKLOAD.perTurn);
    assert.ok(numberOf(deferred) < numberOf(eager));
    assert.match(few.reason, said);
  });

  test('promise 34: the layer says what a session leaves out, known or unknown', () => {
    const groups = [{ ...fakeGroup({ groupId: 'mcp:a', count: 14 }), schemaTokens: 1_800 }];
    const unknown = createToolLayer({ groups, auto: { prices: 'unknown' } });
    assert.match(unknown.session().explain().reason, /no cache price is known/);
    assert.match(unknown.session({ prices: DEFAULT_PRICES }).explain().reason, /only 1,800 tokens/);
    assert.match(createToolLayer({ groups }).session().explain().reason, /only 1,800 tokens/);
  });

  test('a group that lists nothing counts by what it tells, or as a typical one; hidden ones not at all', () => {
    const unlisted = (schemaTokens?: number) => ({
      ...fakeGroup({ groupId: 'mcp:a', names: false }),
      ...(schemaTokens === undefined ? {} : { schemaTokens }),
    });
    assert.equal(decide({ groups: [unlisted(90_000)] }).strategy, 'dispatch');
    assert.equal(decide({ groups: [unlisted(100)] }).strategy, 'eager');
    const some = Array.from({ length: 5 }, (_, i) => ({ ...unlisted(), groupId: `mcp:${i}` }));
    assert.equal(decide({ groups: some }).strategy, 'dispatch');
    assert.match(
      decide({ groups: some, exposure: { 'mcp:*': 'hidden' } }).reason,
      /nothing to defer/,
    );
  });

  test('promise 34: once chosen it stays for the epoch, whatever loads', async () => {
    const layer = createToolLayer({
      tools: simpleTools('own'),
      groups: [fakeGroup({ groupId: 'mcp:a', tools: fakeTools(100) })],
    });
    const session = layer.session();
    const before = session.present([]);
    await measure(layer);
    assert.deepEqual(session.present([]), before);
    assert.equal(layer.session().explain().strategy, 'dispatch');
    const measured = await measure(layer);
    assert.equal(measured.auto.strategy, 'dispatch');
    assert.ok(measured.strategies.dispatch.total < measured.strategies.eager.total);
  });
});

suite("auto and the minimum of a provider's cache", () => {
  const decided = (minPrefix: number, count = 30) =>
    createToolLayer({ groups: [fakeGroup({ groupId: 'mcp:a', count })] })
      .session({ prices: { write: 1.25, read: 0.1, minPrefix } })
      .explain();

  test('promise 34: a deferred prompt that begins below it is compared as if it never reached it', () => {
    assert.equal(decided(512).strategy, 'dispatch');
    const { strategy, reason } = decided(4_096);
    assert.equal(strategy, 'eager');
    assert.match(reason, /begins below the 4,096 tokens from which the provider caches/);
    const [deferral = 0, eager = 0] = compare(reason) ?? [];
    assert.ok(deferral >= eager, reason);
  });

  test('enough schemas are deferred all the same', () => {
    assert.equal(decided(4_096, 400).strategy, 'dispatch');
  });
});

suite('auto where the endpoint takes tools in mid-conversation', () => {
  const groups = [fakeGroup({ groupId: 'mcp:a', count: 60 })];
  const append = { ...PLAIN_APPEND, proven: '2026-11-28' };

  test('a form that no live run has proven is not chosen, and a named strategy is', () => {
    const decided = (options: SessionOptions) =>
      createToolLayer({ groups })
        .session({ append: PLAIN_APPEND, ...options })
        .explain().strategy;
    assert.equal(decided({}), 'dispatch');
    assert.equal(decided({ strategy: 'native' }), 'native');
    const marked = createToolLayer({
      tools: simpleTools('ask').map((tool) => ({ ...tool, exposure: 'deferred' as const })),
    });
    assert.equal(marked.session({ append: PLAIN_APPEND }).explain().strategy, 'dispatch');
  });

  test('promise 34: native by its own figures, which are below those of dispatch', () => {
    const decided = (options: SessionOptions) =>
      createToolLayer({ groups }).session(options).explain();
    const native = decided({ append });
    const dispatch = decided({});
    assert.deepEqual([native.strategy, dispatch.strategy], ['native', 'dispatch']);
    const price = (reason: string) => compare(reason)?.[0] ?? Number.NaN;
    assert.ok(price(native.reason) < price(dispatch.reason), native.reason);
    assert.equal(groups[0]?.loads, 0);
  });

  test('promise 34: what costs more than another way is passed over, and eager is named where all do', async () => {
    const layer = createToolLayer({ groups });
    const { strategies } = await estimate(layer);
    const of = (native: number, dispatch: number) => {
      const priced = { eager: 100, native, dispatch };
      const costs = Object.entries(priced).map(
        ([name, cost]) => [name, { ...strategies.eager, cost }] as const,
      );
      const options = { workload: DEFAULT_WORKLOAD, prices: DEFAULT_PRICES, append };
      const measured = { schemas: 20_000, costsOf: () => new Map(costs) };
      return chooseStrategy(choiceInputs(groups), options, measured);
    };
    assert.equal(of(50, 50).strategy, 'native');
    assert.equal(of(51, 50).strategy, 'dispatch');
    assert.match(
      of(99, 50).reason,
      /^deferring is cheaper: .* estimated 50 uncached tokens, and 100 with every schema/,
    );
    assert.equal(of(100, 99).strategy, 'dispatch');
    assert.equal(of(101, 100).strategy, 'eager');
    assert.match(
      of(101, 102).reason,
      /is not cheaper: .* estimated 101 uncached tokens, and 100 with every schema/,
    );
  });
});

suite('what is counted and what is estimated', () => {
  const group = (groupId: string, more: object) => ({
    ...fakeGroup({ groupId, tools: fakeTools(2) }),
    ...more,
  });

  test('promise 34: sizes that are told are no estimate, others are, and by how much is said', () => {
    const told = decide({ groups: [group('mcp:a', { schemaTokens: 108 })] });
    assert.equal(
      told.reason,
      'every schema is sent, because those that could be deferred have only 108 tokens together, and auto defers from 4,000 on',
    );
    const both = decide({ groups: [group('mcp:a', { schemaTokens: 108 }), group('mcp:b', {})] });
    assert.equal(
      both.reason,
      'every schema is sent, because those that could be deferred have only about 768 tokens together (660 of them estimated for 2 tools that have not loaded), and auto defers from 4,000 on',
    );
    const many = decide({ groups: [fakeGroup({ groupId: 'mcp:a', count: 60 })] });
    assert.match(many.reason, /cheaper: .* \(estimated for 60 tools that have not loaded\)$/);
    const measured = decide({ groups: [group('mcp:a', { schemaTokens: 50_000 })] });
    assert.match(
      measured.reason,
      / cheaper: a task [\w ]+ estimated [\d,]+ uncached tokens, and [\d,]+ with every schema$/,
    );
  });

  test('once everything has loaded nothing is estimated', async () => {
    const { reason } = (await measure(createToolLayer({ groups: [group('mcp:a', {})] }))).auto;
    assert.match(
      reason,
      /^every schema is sent, because those that could be deferred have only \d+ tokens together, and auto defers from 4,000 on$/,
    );
  });
});

suite('a group of unknown size', () => {
  test('a group known to be empty counts nothing; one of unknown names is taken for a typical one', () => {
    const groups = (names: boolean) =>
      Array.from({ length: 20 }, (_, i) =>
        fakeGroup({ groupId: `mcp:${i}`, tools: [], names, schemaTokens: 900 }),
      );
    assert.match(
      decide({ groups: groups(true) }).reason,
      /only 0 tokens together, and auto defers from 4,000 on$/,
    );
    assert.match(decide({ groups: groups(false) }).reason, /estimated/);
  });
});
