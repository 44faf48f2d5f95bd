import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { resultFilesOf } from './lookup.ts';
import { RESULT_FILES } from './result-files.ts';

suite('files of results', () => {
  test('each row has a source and a date, and can match', () => {
    for (const row of RESULT_FILES) assertWellFormed(row);
    assert.deepEqual(unreachable(RESULT_FILES), []);
  });

  test('go where each model takes them', () => {
    const png = (provider: string, modelId: string) => {
      const row = resultFilesOf({ provider, modelId });
      if (row?.inResult.includes('image/png')) return 'result';
      return row?.inMessage.includes('image/png') ? 'message' : 'nowhere';
    };
    const cases: readonly (readonly [provider: string, modelId: string, where: string])[] = [
      ['anthropic.messages', 'claude-opus-5-5', 'result'],
      ['vertex.anthropic.messages', 'claude-opus-4-8', 'result'],
      ['anthropic.messages', 'glm-5', 'nowhere'],
      ['amazon-bedrock', 'us.anthropic.claude-opus-5-5-v1:0', 'result'],
      ['gateway', 'anthropic/claude-opus-5-5', 'result'],
      ['openai.responses', 'gpt-5.6', 'result'],
      ['openai.responses', 'o3', 'result'],
      ['openai.responses', 'o3-mini', 'nowhere'],
      ['openai.chat', 'gpt-4.1', 'message'],
      ['openai.chat', 'gpt-3.5-turbo', 'nowhere'],
      ['google.generative-ai', 'gemini-3-flash', 'result'],
      ['xai.responses', 'grok-4', 'result'],
      ['xai.chat', 'grok-4', 'message'],
      ['openrouter.chat', 'anthropic/claude-opus-5-5', 'message'],
      ['ollama.chat', 'qwen3-vl:8b', 'message'],
      ['ollama.chat', 'llama3.2-vision', 'message'],
      ['ollama.chat', 'qwen3', 'nowhere'],
      ['deepseek.chat', 'deepseek-chat', 'nowhere'],
      ['unknown', 'unknown', 'nowhere'],
    ];
    for (const [provider, modelId, where] of cases)
      assert.equal(png(provider, modelId), where, `${provider} ${modelId}`);
  });
});
