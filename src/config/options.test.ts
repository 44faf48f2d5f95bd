import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError } from '../errors.ts';
import { checkSettings } from './index.ts';

const SECRET = 'sk-secret';

function refusal(values: object): string {
  try {
    checkSettings(values);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
    return error.message;
  }
  return assert.fail('nothing was thrown');
}

test('settings of a program or a flag are checked like those of a file, and their values are never shown', () => {
  checkSettings({ maxRounds: 3, strategy: false, routing: undefined, subagents: true });
  for (const [values, expected] of [
    [{ maxRounds: 0 }, /"maxRounds" .*a whole number of at least 1/],
    [{ strategy: SECRET }, /"strategy" .*one of eager, .*, or false/],
    [{ routing: SECRET }, /"routing" .*one of off, preload, narrow/],
    [{ models: { m: { price: { input: 1, output: SECRET } } } }, /"models\.m\.price\.output" /],
    [{ roles: { r: { tools: [SECRET, ''] } } }, /"roles\.r\.tools\[1\]" .*not blank/],
    [{ maxRound: SECRET }, /no option "maxRound"\. Did you mean "maxRounds"/],
    [JSON.parse('{"roles":{"__proto__":{"tools":["x"]}}}'), /"roles\.__proto__" .*another name/],
  ] as const) {
    const message = refusal(values);
    assert.match(message, expected);
    assert.ok(!message.includes(SECRET), message);
  }
});
