import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visibleWidth } from '@earendil-works/pi-tui';
import { turnsOf, VIEWS } from '../../test/chat-view/events.test-support.ts';
import { type IndicatorFacts, indicatorOf } from '../shown/indicator.ts';
import { statusLine } from './drawing.ts';
import { themeWith } from './theme.ts';

const FACTS: IndicatorFacts = {
  ...{ areToolsOn: true, plan: { inline: 3, deferred: 120, tokens: 182, eager: 910 } },
  ...{ loaded: 0, model: 'anthropic/claude-sonnet-4-5-20250929', role: 'reader', currency: 'USD' },
  now: ['2 servers starting'],
  sent: undefined,
};
const plain = themeWith(false);
const line = (width: number, facts: Partial<IndicatorFacts> = {}, view = turnsOf(3)) =>
  statusLine(indicatorOf(view, { ...FACTS, ...facts }), plain, width);

describe('the status line', () => {
  test('fits at every width from 1 to 200', () => {
    const model = `日本語/${'name'.repeat(50)}\n\u001B[2J`;
    for (const theme of [plain, themeWith(true)]) {
      for (const view of [VIEWS.nothing ?? VIEWS.all, VIEWS.all, turnsOf(3)]) {
        const indicator = indicatorOf(view, { ...FACTS, model });
        for (let width = 1; width <= 200; width += 1) {
          const text = statusLine(indicator, theme, width);
          assert.ok(visibleWidth(text) <= width, `${width}: ${text}`);
          assert.ok(!/\n/.test(text) && !text.includes('\u001B[2J'));
        }
      }
    }
  });

  test('shows whether tools are on', () => {
    assert.match(line(80), /^● tools 182 of 910 tokens │/);
    const none = { inline: 0, deferred: 0, tokens: 0, eager: 0 };
    assert.match(line(80, { plan: none }), /^○ no tools │/);
    assert.match(line(80, { areToolsOn: false }), /^○ tools off │/);
  });

  test('keeps the model and the cost where there is no room for all', () => {
    assert.equal(line(60), '● tools 182 of 910 tokens');
    const model = 'anthropic/claude-sonnet-4-5-20250929';
    assert.equal(line(66), `● tools 182 of 910 tokens │ ${model}`);
    assert.equal(line(80), `● tools 182 of 910 tokens │ session $0.75 │ ${model}`);
    const start = { model, role: 'reader', strategy: 'dispatch', reason: '' };
    const held = { inline: 0, bridges: 100, loaded: 0, catalog: 82 };
    const tokens = { ...held, total: 24_000, eager: 48_000 } as never;
    const request = { request: 1, strategy: 'dispatch', tokens, cache: { marks: [] } };
    const turns = turnsOf(3).turns.map((turn) => ({ ...turn, start, request }));
    const withWindow = (width: number) => line(width, { contextWindow: 200_000 }, { turns });
    const whole = withWindow(300);
    assert.match(whole, / │ context \S+ % of 200k │ session/);
    const { length } = whole;
    assert.equal(withWindow(length), whole);
    assert.equal(withWindow(length - 1), whole.replace(/ │ context[^│]*(?= │)/, ''));
    assert.equal(withWindow(80), line(80));
    const all = line(200);
    for (const words of ['3 inline, 120 on demand', '% cached', 'reader'])
      assert.ok(all.includes(words), all);
  });
});
