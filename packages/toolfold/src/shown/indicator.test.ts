import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { ScreenView } from '@toolfold/agent/internal/events/screen-view.ts';
import { type IndicatorFacts, indicatorOf, spentOf } from './indicator.ts';

const FACTS: IndicatorFacts = {
  ...{ areToolsOn: true, plan: { inline: 3, deferred: 1200, tokens: 182, eager: 910 } },
  ...{
    loaded: 0,
    model: 'anthropic/claude',
    role: 'reader',
    sent: { model: 'anthropic/claude', role: 'reader', isLeftOut: false },
    now: ['2 servers starting'],
    currency: 'EUR',
  },
};

const user: AgentEvent = { type: 'user', text: 'Go.' };
const usage = {
  type: 'usage',
  ...{ input: 1000, cacheRead: 900, cacheWrite: 50, output: 20, cost: 0.25 },
} as const;
const request = {
  ...{ type: 'request', request: 1, strategy: 'dispatch', segments: [] },
  tokens: { inline: 20, bridges: 5, loaded: 0, catalog: 11, total: 96, eager: 960 },
} as unknown as AgentEvent;

const NOTHING: ScreenView = { turns: [] };
const said = (view: ScreenView, facts: Partial<IndicatorFacts> = {}) =>
  indicatorOf(view, { ...FACTS, ...facts }).parts.map(({ text }) => text);

describe('the indicator', () => {
  test('says before the first turn what the first request will hold', () => {
    assert.deepEqual(said(NOTHING, { now: [] }), [
      ...['tools 182 of 910 tokens', '3 inline, 1,200 on demand, 0 loaded'],
      ...['anthropic/claude', 'reader'],
    ]);
    const plan = { inline: 16, deferred: 0, tokens: 910, eager: 910 };
    assert.deepEqual(said(NOTHING, { plan }).slice(0, 2), ['tools 910 of 910 tokens', '16 inline']);
  });

  test('says what is not known by leaving it out', () => {
    const unknown = { plan: undefined, model: undefined, role: undefined, now: [] };
    assert.deepEqual(said(NOTHING, unknown), ['tools', 'no model']);
  });

  test('keeps tools and conversation apart, and says the currency', () => {
    const start: AgentEvent = {
      ...{ type: 'start', model: 'anthropic/claude', role: 'reader', strategy: 'dispatch' },
      reason: 'x',
    };
    const turn = [user, start, request, usage];
    const view = screenOf([...turn, ...turn]);
    assert.deepEqual(said(view, { loaded: 2 }), [
      ...['tools 36 of 910 tokens', '3 inline, 1,200 on demand, 2 loaded', '2 servers starting'],
      ...['conversation 60', '90 % cached'],
      ...['session €0.50', 'anthropic/claude', 'reader'],
    ]);
    assert.ok(said(view, { currency: undefined }).includes('session $0.50'));
    const besides = spentOf(screenOf([user, usage]).turns);
    assert.ok(said(view, { besides }).includes('session €0.75'));
  });

  test('says how full the window of the model is, only where both are known', () => {
    const start = { type: 'start', model: 'anthropic/claude', strategy: 'dispatch', reason: 'x' };
    const full = { ...request, tokens: { total: 24_000, eager: 24_000 } } as never;
    const compaction: AgentEvent = {
      ...{ type: 'compaction', cause: 'user', summary: '', before: 9, after: 1 },
    };
    const epoch = { type: 'epoch', strategy: 'dispatch', reason: 'compacted' } as const;
    const turn: AgentEvent[] = [user, start as AgentEvent, full, usage];
    const windowOf = (events: readonly AgentEvent[], facts: Partial<IndicatorFacts> = {}) =>
      said(screenOf(events), { contextWindow: 200_000, ...facts }).filter((part) =>
        part.startsWith('context '),
      );
    assert.deepEqual(windowOf(turn), ['context 12 % of 200k']);
    assert.deepEqual(windowOf(turn, { contextWindow: 1_048_576 }), ['context 2.3 % of 1M']);
    assert.deepEqual(windowOf([...turn, compaction, epoch, full]), ['context 12 % of 200k']);
    assert.deepEqual(windowOf([...turn, compaction, user, start as AgentEvent, full]), [
      'context 12 % of 200k',
    ]);
    assert.deepEqual(windowOf(turn, { contextWindow: undefined }), []);
    assert.deepEqual(windowOf(turn, { model: 'anthropic/another' }), []);
    assert.deepEqual(windowOf([user]), []);
    assert.deepEqual(windowOf([...turn, compaction]), []);
    assert.deepEqual(windowOf([...turn, compaction, user]), []);
  });

  test('says nothing of tools that are off', () => {
    const { areToolsOn, parts } = indicatorOf(NOTHING, { ...FACTS, areToolsOn: false, now: [] });
    assert.deepEqual(
      [areToolsOn, parts.map(({ text }) => text)],
      [false, ['tools off', 'anthropic/claude', 'reader']],
    );
  });

  const tip = (view: ScreenView, facts: Partial<IndicatorFacts> = {}) => {
    const { label, tooltip, source } = indicatorOf(view, { ...FACTS, ...facts });
    return [source, label, tooltip];
  };

  test('says in its tooltip the plan before the first request, and then what the last one held', () => {
    assert.deepEqual(tip(NOTHING), [
      ...['plan', 'on 182'],
      '3 tools inline, 1,200 on demand, 0 loaded; 182 tokens with each message, 910 with all schemas',
    ]);
    const start = {
      type: 'start',
      model: 'anthropic/claude',
      role: 'reader',
      reason: 'x',
    } as const;
    const turnOf = (strategy: string): AgentEvent[] => [
      ...[user, { ...start, strategy }, { ...request, strategy } as AgentEvent, usage],
    ];
    const held =
      '3 tools inline, 1,200 on demand, 2 loaded; 36 tokens with each message, 900 with all schemas';
    // What is declared anew with each request, too.
    for (const strategy of ['dispatch', 'eager'])
      assert.deepEqual(tip(screenOf(turnOf(strategy)), { loaded: 2 }), ['request', 'on 36', held]);
    const view = screenOf(turnOf('dispatch'));
    assert.equal(tip(view, { model: 'anthropic/other' })[0], 'plan');
    const sent = { model: 'anthropic/claude', role: 'reader', isLeftOut: true };
    assert.deepEqual(tip(view, { sent }).slice(0, 2), ['plan', 'on 182']);
    const compaction = {
      type: 'compaction',
      cause: 'user',
      summary: '',
      before: 9,
      after: 1,
    } as const;
    assert.equal(tip(screenOf([...turnOf('dispatch'), compaction]))[0], 'plan');
    assert.deepEqual(tip(view, { areToolsOn: false }), [
      ...['plan', 'off 36', 'Tools are off; 36 tokens still sent in this epoch'],
    ]);
  });

  test('says in its tooltip what is not known, and that there is nothing', () => {
    assert.deepEqual(tip(NOTHING, { plan: undefined }), [
      ...['plan', 'on', 'Tools are on; their tokens are not counted yet'],
    ]);
    const none = { inline: 0, deferred: 0, tokens: 0, eager: 0 };
    assert.deepEqual(tip(NOTHING, { plan: none }), ['plan', 'on 0', 'There are no tools']);
    const plan = { inline: 16, deferred: 0, tokens: 910, eager: 910 };
    assert.match(
      String(tip(NOTHING, { plan })[2]),
      /^16 tools inline; 910 tokens with each message/,
    );
    assert.deepEqual(tip(NOTHING, { areToolsOn: false }), [
      ...['plan', 'off', 'Tools are off; nothing of them is sent'],
    ]);
    assert.deepEqual(indicatorOf(NOTHING, FACTS).rest, [
      '2 servers starting',
      'anthropic/claude',
      'reader',
    ]);
  });

  test('says when a part of the cost is not known', () => {
    const { cost: _, ...unpriced } = usage;
    assert.ok(said(screenOf([user, usage, unpriced])).includes('session at least €0.25'));
    assert.doesNotMatch(said(screenOf([user, unpriced])).join(), /session/);
  });
});

test('what was spent has subagents in it, at all levels, each once', () => {
  const ofChild = (child: string, event: object) =>
    ({ type: 'subagent', call: 'c', child, task: child, event }) as never;
  const call = (id: string) => ({ type: 'call', id, name: 'task', arguments: {} }) as const;
  const view = screenOf([
    ...[user, usage, call('c')],
    ...[ofChild('one', call('c')), ofChild('one', ofChild('deep', usage)), ofChild('two', usage)],
    {
      ...{ type: 'subagent-end', call: 'c', child: 'two', task: 'two', status: 'done' },
      spent: { ...spentOf([]), requests: 5, input: 7 },
    } as never,
  ]);
  const { requests, input, cost } = spentOf(view.turns);
  assert.deepEqual([requests, input, cost], [1 + 1 + 5, 1000 + 1000 + 7, 0.5]);
  assert.equal(spentOf([]).requests, 0);
});
