import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSubagents, type SubagentOptions } from '@toolfold/agent/internal/tasks/tool.ts';
import type { SubagentSettings } from '@toolfold/config/internal/settings/agents.ts';
import type { ToolfoldSettings } from '@toolfold/config/internal/settings/settings.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { parseConfig } from '../../src/config/read-config.ts';

function read(toolfold: object): ToolfoldSettings {
  const { settings } = parseConfig('c.json', JSON.stringify({ toolfold }), { env: {} });
  return settings ?? assert.fail('no settings');
}

function complaint(text: string): string {
  try {
    parseConfig('c.json', `{"toolfold":${text}}`, { env: {} });
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.equal(error.code, 'invalid-config');
    return error.message;
  }
  return assert.fail(`no complaint about ${text}`);
}

test('subagents: true, false, and their options', () => {
  assert.equal(read({ subagents: true }).subagents, true);
  assert.equal(read({ subagents: false }).subagents, false);
  const all = {
    roles: ['reader', 'writer'],
    wide: true,
    warmCache: true,
    concurrency: 12,
    timeout: 900,
    depth: 2,
    maxRounds: 3,
    instructions: 'Be brief.',
    withhold: ['mail__*'],
    resultBytes: 100_000,
    budget: { tokens: 200_000, cost: 0.25 },
  };
  const { subagents } = read({ subagents: all });
  assert.deepEqual(subagents, all);
  // The compiler checks the other half of this test.
  const made = createSubagents(typeof subagents === 'object' ? subagents : assert.fail());
  assert.deepEqual(made.options, all);
});

test('subagents: every option that is plain data is a setting', () => {
  type Data = Exclude<keyof SubagentOptions, 'hooks' | 'model' | 'engine'>;
  // The compiler checks this test.
  const hasAll: [Data] extends [keyof SubagentSettings] ? true : never = true;
  assert.ok(hasAll);
});

test('prices: fractions and zero', () => {
  const price = { input: 0.25, output: 2, cacheRead: 0, cacheWrite: 0.3125 };
  const { models } = read({ models: { m: { price }, n: { price: { input: 0, output: 0 } } } });
  assert.deepEqual(models?.m?.price, price);
  assert.deepEqual(models?.n?.price, { input: 0, output: 0 });
});

test('errors in settings name the position, the value and the expected value', () => {
  const cases: [string, RegExp][] = [
    [
      '{"subagents":"on"}',
      /^c\.json:1:26: toolfold\.subagents is string "on"\. Expected an object, true or false/,
    ],
    ['{"subagents":null}', /toolfold\.subagents is null/],
    ['{"subagents":{"rolls":[]}}', /^c\.json:1:27: Unknown key "rolls" .*mean "roles"/],
    [
      '{"subagents":{"roles":"a"}}',
      /subagents\.roles is string "a"\. Expected a list of names of roles/,
    ],
    ['{"subagents":{"wide":1}}', /subagents\.wide is number "1"\. Expected true or false/],
    ['{"subagents":{"timeout":0.5}}', /subagents\.timeout .*whole number from 1 to 900/],
    [
      '{"subagents":{"concurrency":13}}',
      /^c\.json:1:41: .*concurrency is number "13"\. Expected a whole number from 1 to 8, or from 1 to 12 with `wide`/,
    ],
    ['{"subagents":{"timeout":901}}', /^c\.json:1:37: .*"901"\. Expected .* from 1 to 900/],
    ['{"subagents":{"depth":5}}', /^c\.json:1:35: .*"5"\. Expected .* from 1 to 4/],
    [
      '{"subagents":{"resultBytes":9999}}',
      /^c\.json:1:41: .*"9999"\. Expected .* from 10000 to 10000000/,
    ],
    [
      '{"subagents":{"roles":[]}}',
      /^c\.json:1:35: toolfold\.subagents\.roles is empty\. Expected a list of names of roles, at least one/,
    ],
    [
      '{"subagents":{"budget":{}}}',
      /^c\.json:1:36: toolfold\.subagents\.budget is empty\. Expected `tokens` or `cost`, or both/,
    ],
    ['{"subagents":{"instructions":[]}}', /subagents\.instructions is an array/],
    ['{"subagents":{"budget":5}}', /subagents\.budget is number "5"\. Expected an object/],
    [
      '{"subagents":{"budget":{"cost":0}}}',
      /^c\.json:1:44: toolfold\.subagents\.budget\.cost is number "0"\. Expected a number above 0/,
    ],
    ['{"subagents":{"budget":{"cost":1e999}}}', /Expected a number above 0/],
    ['{"subagents":{"budget":{"money":1}}}', /Unknown key "money" in .*tokens, cost/],
    [
      '{"models":{"m":{"price":{"input":-1,"output":1}}}}',
      /^c\.json:1:46: .*price\.input is number "-1"\. Expected a number, 0 or more/,
    ],
    ['{"models":{"m":{"price":{"input":"1"}}}}', /price\.input is string "1"/],
    [
      '{"models":{"m":{"price":{"input":1}}}}',
      /^c\.json:1:37: toolfold\.models\."m"\.price lacks "output"\. Expected there: a number/,
    ],
    ['{"models":{"m":{"price":{"output":1}}}}', /price lacks "input"/],
    ['{"models":{"m":{"price":{"cacheread":1}}}}', /Unknown key "cacheread".*mean "cacheRead"/],
    [
      '{"approvals":{"allow":[""]}}',
      /^c\.json:1:36: toolfold\.approvals\.allow\[0\] is blank\. Fill/,
    ],
    ['{"exposure":{" ":"inline"}}', /^c\.json:1:26: a name in toolfold\.exposure is blank/],
    ['{"servers":{"":{}}}', /a name in toolfold\.servers is blank/],
    ['{"models":{"":{}}}', /a name in toolfold\.models is blank/],
    ['{"roles":{"r":{"tools":["\\t"]}}}', /roles\."r"\.tools\[0\] is blank/],
    ['{"roles":{"r":{"model":""}}}', /roles\."r"\.model is blank/],
    ['{"categories":{"c":{"words":[""],"tools":[]}}}', /categories\."c"\.words\[0\] is blank/],
    ['{"subagents":{"withhold":[""]}}', /subagents\.withhold\[0\] is blank/],
    ['{"models":{"m":{"price":3}}}', /price is number "3"\. Expected an object/],
  ];
  for (const [text, expected] of cases) assert.match(complaint(text), expected);
});
