import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { hasStrictTurns, STRICT_TURNS } from './lookup.ts';

suite('a message of the user behind results', () => {
  test('has well-formed rows with addresses as sources, and none that an earlier one hides', () => {
    for (const row of STRICT_TURNS) {
      assertWellFormed(row);
      assert.match(row.source, /^https:\/\/github\.com\//);
    }
    assert.deepEqual(unreachable(STRICT_TURNS), []);
  });

  for (const [provider, modelId, isStrict] of [
    ['mistral.chat', 'mistral-large-latest', true],
    ['mistral.chat', 'a-model-of-tomorrow', true],
    ['openrouter.chat', 'mistralai/mistral-small-4', true],
    ['openrouter.chat', 'mistralai/codestral-2508', true],
    ['amazon-bedrock', 'mistral.pixtral-large-2502-v1:0', true],
    ['ollama.chat', 'ministral-3:8b', true],
    ['ollama.chat', 'devstral-small-2:24b', true],
    ['vllm.chat', 'mistralai/Magistral-Small-2509', true],
    ['vllm.chat', 'mistralai/Voxtral-Small-24B-2507', true],
    ['ollama.chat', 'mixtral:8x7b', true],
    ['ollama.chat', 'gemma2:9b', true],
    ['ollama.chat', 'gemma3n:e4b', true],
    ['lmstudio.chat', 'google/gemma-3-12b-it', true],
    ['lmstudio.chat', 'google/gemma-4-31b-it', false],
    ['ollama.chat', 'gemma4:26b', false],
    ['ollama.chat', 'qwen3:8b', false],
    ['ollama.chat', 'llama3.3', false],
    ['anthropic.messages', 'claude-opus-5-5', false],
    ['openai.responses', 'gpt-5.6', false],
  ] as const)
    test(`${provider} ${modelId} ${isStrict ? 'refuses' : 'takes'} it`, () => {
      assert.equal(hasStrictTurns({ provider, modelId }), isStrict);
    });
});
