import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkAgentSettings } from './options.ts';

const SECRET = 'sk-secret';

function refusal(values: object): string {
  try {
    checkAgentSettings(values);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
    return error.message;
  }
  return assert.fail('nothing was thrown');
}

test('settings of a program are checked like those of a file, and their values are never shown', () => {
  checkAgentSettings({ maxRounds: 3, routing: undefined });
  for (const [values, expected] of [
    [{ maxRounds: 0 }, /"maxRounds" .*a whole number of at least 1/],
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
