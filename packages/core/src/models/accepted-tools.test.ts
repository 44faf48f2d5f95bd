import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { ACCEPTED_TOOLS } from './accepted-tools.ts';
import { acceptedToolsOf } from './lookup.ts';

suite('what endpoints accept among declared tools', () => {
  test('has well-formed rows, and none that an earlier one hides', () => {
    for (const row of ACCEPTED_TOOLS) assertWellFormed(row);
    assert.deepEqual(unreachable(ACCEPTED_TOOLS), []);
  });

  for (const [provider, modelId, by] of [
    ['anthropic.messages', 'claude-opus-5-5', 'Anthropic'],
    ['anthropic.messages', 'a-model-of-tomorrow', 'Anthropic'],
    ['googleVertex.anthropic.messages', 'claude-opus-5-5', 'Anthropic'],
    ['bedrock.anthropic.messages', 'us.anthropic.claude-opus-5-5', 'Amazon Bedrock'],
    ['amazon-bedrock', 'us.anthropic.claude-opus-5-5', 'Amazon Bedrock'],
    ['gateway', 'anthropic/claude-opus-5.5', 'Anthropic'],
    ['openrouter.chat', 'openai/gpt-5.4', 'OpenAI'],
    ['openrouter.chat', 'qwen/qwen3', 'an OpenAI-compatible server'],
    ['openai.responses', 'gpt-6-astra', 'OpenAI'],
    ['openai.chat', 'gpt-4.1', 'OpenAI Chat Completions'],
    ['azure.chat', 'my-deployment', 'OpenAI Chat Completions'],
    ['azure.responses', 'my-deployment', 'OpenAI'],
    ['google.vertex.chat', 'gemini-3-pro', 'Gemini'],
    ['google.generative-ai', 'gemma-4', undefined],
    ['ollama.chat', 'qwen3:8b', 'an OpenAI-compatible server'],
    ['cohere', 'command-a', undefined],
    ['vllm.chat', 'openai/gpt-5-finetune', 'an OpenAI-compatible server'],
  ] as const)
    test(`of ${provider} ${modelId}: ${by ?? 'everything'}`, () => {
      assert.equal(acceptedToolsOf({ provider, modelId })?.by, by);
    });
});
