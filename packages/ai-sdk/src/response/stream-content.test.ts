import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { ownSearch, partsModel, toolCall } from '../../test/rounds/parts-model.test-support.ts';
import { contentOf } from './left-out-texts.ts';

const metadata = fc.constantFrom({}, { providerMetadata: { parts: { signature: 's' } } });
const words = fc.constantFrom('', 'a', 'some words');
const texts = fc
  .tuple(fc.constantFrom('text' as const, 'reasoning' as const), words, metadata)
  .map(([type, text, more]): readonly LanguageModelV4Content[] => [{ type, text, ...more }]);
const others = fc
  .constantFrom<LanguageModelV4Content>(
    { type: 'custom', kind: 'parts.own' },
    { type: 'source', sourceType: 'url', id: 's', url: 'http://example.com' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
    { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'c' },
  )
  .map((part) => [part]);
const calls = fc.constantFrom([toolCall('c', 'load_tools', {})], ownSearch('s'));
const contents = fc.array(fc.oneof(texts, others, calls)).map((all) => all.flat());

async function read(content: readonly LanguageModelV4Content[]): Promise<LanguageModelV4Content[]> {
  const { stream } = await partsModel([{ content }]).doStream({ prompt: [] });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part);
  return contentOf(parts);
}

test('a streamed response has the content that generate gives', async () => {
  const property = fc.asyncProperty(contents, async (content) => {
    const { content: given } = await partsModel([{ content }]).doGenerate({ prompt: [] });
    assert.deepEqual(await read(content), given);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('texts that interleave, and metadata of their pieces, are put together as the SDK does it', () => {
  const [first, second] = [{ parts: { n: 1 } }, { parts: { n: 2 } }];
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: '0', providerMetadata: first },
    { type: 'reasoning-start', id: '0' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '0', delta: 'a' },
    { type: 'reasoning-delta', id: '0', delta: 'hm', providerMetadata: first },
    { type: 'text-delta', id: '1', delta: 'b' },
    { type: 'text-delta', id: '0', delta: 'c' },
    { type: 'text-end', id: '0' },
    { type: 'reasoning-end', id: '0', providerMetadata: second },
    { type: 'text-delta', id: 'unknown', delta: 'lost' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'again' },
  ];
  assert.deepEqual(contentOf(parts), [
    { type: 'text', text: 'ac', providerMetadata: first },
    { type: 'reasoning', text: 'hm', providerMetadata: second },
    { type: 'text', text: 'b' },
    { type: 'text', text: 'again' },
  ]);
});
