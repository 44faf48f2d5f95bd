import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { NARROWED_CHOICES, narrowedChoiceOf } from './lookup.ts';

suite('choices of a tool by name', () => {
  test('each row has a source and a date, and can match', () => {
    for (const row of NARROWED_CHOICES) assertWellFormed(row);
    assert.deepEqual(unreachable(NARROWED_CHOICES), []);
  });

  test('are enforced by providers without a row', () => {
    const narrows = (provider: string, modelId: string) => narrowedChoiceOf({ provider, modelId });
    assert.equal(narrows('openai.responses', 'gpt-5.6'), undefined);
    assert.equal(narrows('local.chat', 'qwen3'), undefined);
    assert.equal(narrows('anthropic.messages', 'claude-opus-5-5'), 'always');
    assert.equal(narrows('anthropic.messages', 'claude-sonnet-4-5'), 'thinking or JSON');
    assert.equal(narrows('vertex.anthropic.messages', 'claude-opus-4-8'), 'thinking or JSON');
    assert.equal(narrows('cohere.chat', 'command-a'), 'always');
  });
});
