import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visibleWidth } from '@earendil-works/pi-tui';
import { screenOf } from '../../agent/index.ts';
import { request, turnsOf, usage, user, VIEWS } from './events.test-support.ts';
import { type StatusFacts, spentOf, statusLine } from './status-line.ts';
import { themeWith } from './theme.ts';

const FACTS: StatusFacts = {
  ...{ areToolsOn: true, inline: 3, deferred: 1200, eagerTokens: 910 },
  ...{ model: 'anthropic/claude', role: 'reader', now: ['2 servers starting'] },
};
const plain = themeWith(false);
const line = (view = turnsOf(1), facts: Partial<StatusFacts> = {}, width = 300) =>
  statusLine(view, { ...FACTS, ...facts }, plain, width);

describe('the status line', () => {
  test('fits at every width from 1 to 200', () => {
    const model = `日本語/${'name'.repeat(50)}\n\u001B[2J`;
    for (const theme of [plain, themeWith(true)]) {
      for (const view of [VIEWS.nothing ?? VIEWS.all, VIEWS.all, turnsOf(3)]) {
        for (let width = 1; width <= 200; width += 1) {
          const text = statusLine(view, { ...FACTS, model }, theme, width);
          assert.ok(visibleWidth(text) <= width, `${width}: ${text}`);
          assert.ok(!/\n/.test(text) && !text.includes('\u001B[2J'));
        }
      }
    }
  });

  test('shows whether tools are on', () => {
    assert.match(line(), /^● tools /);
    assert.match(line(undefined, { areToolsOn: false }), /^○ tools off /);
  });

  test('shows tools, tokens, the share of an eager request and of the cache, cost and names', () => {
    const load = { type: 'load', group: 'files', tools: ['files__read', 'files__write'] } as const;
    const view = screenOf([user('Go.'), request, load, { ...load, tools: ['files__read'] }, usage]);
    assert.equal(
      line(view),
      '● tools 3 inline 1,200 deferred 2 loaded │ 2 servers starting │ 1,020 tokens │ 10 % of eager │ 90 % cached │ cost 0.25 │ anthropic/claude │ reader',
    );
    assert.equal(
      line({ turns: [] }, { model: undefined, role: undefined, now: [], eagerTokens: undefined }),
      '● tools 3 inline 1,200 deferred 0 loaded │ no model',
    );
  });

  test('forgets what was loaded before a compaction', () => {
    const load = { type: 'load', group: 'files', tools: ['files__read'] } as const;
    const compaction = {
      type: 'compaction',
      cause: 'user',
      summary: '',
      before: 9,
      after: 1,
    } as const;
    assert.match(line(screenOf([user('Go.'), load, compaction])), / 0 loaded /);
  });

  test('says when a part of the cost is not known', () => {
    const { cost: _, ...unpriced } = usage;
    assert.match(line(screenOf([user('Go.'), usage, unpriced])), /cost at least 0\.25/);
    assert.doesNotMatch(line(screenOf([user('Go.'), unpriced])), /cost/);
  });
});

test('what was spent has subagents in it, at all levels, each once', () => {
  const ofChild = (child: string, event: object) =>
    ({ type: 'subagent', call: 'c', child, task: child, event }) as never;
  const call = (id: string) => ({ type: 'call', id, name: 'task', arguments: {} }) as const;
  const view = screenOf([
    ...[user('Go.'), usage, call('c')],
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
