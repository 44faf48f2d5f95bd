import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import type { ModelMessage } from 'ai';
import { ContextUse } from './context-use.ts';

const user = (content: string): ModelMessage => ({ role: 'user', content });
const text = 'Some words that cost some tokens.';
const size = estimateTokens(text);

test('the use is what the provider has counted, and an estimate for what came since', () => {
  const use = new ContextUse();
  const others = () => 100;
  assert.equal(use.tokens([user(text), user(text)], others), 100 + 2 * size);
  use.answered({ input: 1_000, output: 50 }, 2);
  assert.equal(use.tokens([user(text), user(text)], others), 1_050);
  assert.equal(use.tokens([user(text), user(text), user(text)], others), 1_050 + size);
});

test('a count is not used for fewer messages, after a reset, or if it is empty', () => {
  const use = new ContextUse();
  use.answered({ input: 0, output: 7 }, 1);
  assert.equal(
    use.tokens([user(text)], () => 5),
    5 + size,
  );
  use.answered({ input: 1_000, output: 50 }, 2);
  assert.equal(
    use.tokens([user(text)], () => 5),
    5 + size,
  );
  use.reset();
  assert.equal(
    use.tokens([], () => 5),
    5,
  );
});
