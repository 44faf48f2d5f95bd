import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertWellFormed, unreachable } from '../../test/models/rows.test-support.ts';
import { CACHING } from './caching.ts';
import { cachingOf, isOptionOf } from './lookup.ts';

suite('how providers are asked for their cache', () => {
  test('each row has a source and a date, and can match', () => {
    for (const row of CACHING) assertWellFormed(row);
    assert.deepEqual(unreachable(CACHING), []);
  });

  test('is known where it is documented', () => {
    const rows = [
      ['anthropic.messages', 'claude-opus-5-5', 'cacheControl all'],
      ['anthropic.messages', 'some-model-of-a-proxy', 'cacheControl all'],
      ['googleVertex.anthropic.messages', 'claude-opus-5-5', 'cacheControl all'],
      ['bedrock.anthropic.messages', 'anthropic.claude-opus-4-8', 'cacheControl all'],
      ['amazon-bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'cachePoint all'],
      ['amazon-bedrock', 'anthropic.claude-3-7-sonnet-20250219-v1:0', 'cachePoint all'],
      ['amazon-bedrock', 'anthropic.claude-3-sonnet-20240229-v1:0', undefined],
      ['amazon-bedrock', 'amazon.nova-pro-v1:0', undefined],
      ['openrouter', 'anthropic/claude-opus-5-5', 'cacheControl cache_control all'],
      ['openrouter.chat', 'anthropic/claude-opus-5-5', 'cacheControl cache_control all'],
      ['openrouter.completion', 'anthropic/claude-opus-5-5', undefined],
      ['openrouter', 'openai/gpt-5.6', undefined],
      ['alibaba.chat', 'qwen3.5-max', 'cacheControl cache_control all'],
      ['openai.responses', 'gpt-5.6', 'promptCacheBreakpoint frozen, key'],
      ['openai.chat', 'gpt-6.1-mini', 'promptCacheBreakpoint frozen, key'],
      ['openai.responses', 'gpt-5.5', 'key'],
      ['azure.responses', 'gpt-5.6', 'promptCacheBreakpoint frozen, key'],
      ['mistral.chat', 'mistral-large-latest', 'key'],
      ['xai.responses', 'grok-5', 'key'],
      ['google.generative-ai', 'gemini-3-pro', 'itself'],
      ['google.vertex.chat', 'gemini-3-pro', 'itself'],
      ['google.generative-ai', 'gemma-4', undefined],
      ['deepseek.chat', 'deepseek-chat', 'itself'],
      ['local.chat', 'qwen3', undefined],
      ['gateway', 'anthropic/claude-opus-5-5', undefined],
    ] as const;
    for (const [provider, modelId, expected] of rows) {
      const row = cachingOf({ provider, modelId });
      const { marks, takesKey } = row ?? {};
      const asked = [
        ...(row && !marks && !takesKey ? ['itself'] : []),
        ...(marks ? [`${Object.values(marks.options).join(' ')} ${marks.places}`] : []),
        ...(takesKey ? ['key'] : []),
      ].join(', ');
      assert.equal(asked || undefined, expected, `${provider} ${modelId}`);
    }
  });

  test('an option concerns a request under the keys of its row and under unknown ones', () => {
    for (const row of CACHING)
      for (const key of [...row.reads, 'gateway', 'google', 'a-proxy'])
        assert.ok(isOptionOf(row, key));
    const of = (provider: string, modelId: string) =>
      cachingOf({ provider, modelId }) ?? assert.fail();
    const claude = of('anthropic.messages', 'claude-opus-5-5');
    for (const key of ['openai', 'azure', 'bedrock', 'openrouter', 'mistral'])
      assert.ok(!isOptionOf(claude, key));
    assert.ok(!isOptionOf(of('openai.responses', 'gpt-6'), 'anthropic'));
    assert.ok(isOptionOf(of('openrouter', 'anthropic/claude-opus-5-5'), 'anthropic'));
  });

  test('marks stand under keys that the row reads', () => {
    for (const { marks, reads } of CACHING)
      for (const key of Object.keys(marks?.options ?? {})) assert.ok(reads.includes(key));
  });

  test('never allows more marks than three and what the row says', () => {
    for (const { marks } of CACHING) assert.ok(!marks || marks.max >= 3);
  });
});
