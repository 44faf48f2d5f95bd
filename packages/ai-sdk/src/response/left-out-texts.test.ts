import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, Output, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { Conversation } from '../../test/conversation.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../../test/endpoints.test-support.ts';
import { createFold, type Fold, type FoldOptions } from '../index.ts';
import type { LanguageModelV4StreamPart } from '../protocol/language-model.ts';
import type { ResponseCalls } from './incoming.ts';
import { holdTexts } from './left-out-texts.ts';

const load = { name: 'load_tools', arguments: { group_id: 'app' } };
const output = Output.object({ schema: z.object({ answer: z.number() }) });
const SCRIPT: Reply[] = [
  { text: 'Let me load a tool.', calls: [load] },
  { text: 'And another.', calls: [load] },
  { text: '{"answer":4}' },
  { text: '{"answer":5}' },
];

function foldOf(loads: FoldOptions<ToolSet>['loads']): Fold<ToolSet> {
  const find = tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'found' });
  const options = { tools: { find }, strategy: 'dispatch', loads } as const;
  return createFold<ToolSet>(options) as unknown as Fold<ToolSet>;
}

type Part = LanguageModelV4StreamPart;

const start: Part = { type: 'text-start', id: '0' };
const delta = (text: string): Part => ({ type: 'text-delta', id: '0', delta: text });
const end: Part = { type: 'text-end', id: '0' };
const finish = { type: 'finish' } as unknown as Part;

describe('an answer in JSON after texts beside loads', () => {
  for (const endpoint of ENDPOINTS) {
    test(`has the JSON alone as its text, ${endpoint.name}`, async () => {
      await using server = await startModelServer({
        script: [...SCRIPT.slice(0, 3), ...SCRIPT.slice(0, 3)],
      });
      const settings = {
        ...foldOf('model-call').with(modelOn(server, endpoint)),
        prompt: 'Go.',
        output,
        stopWhen: isStepCount(4),
      };
      const generated = await generateText(settings);
      assert.deepEqual(generated.output, { answer: 4 });
      assert.equal(generated.text, '{"answer":4}');
      const streamed = streamText(settings);
      const partial: unknown[] = [];
      for await (const part of streamed.partialOutputStream) partial.push(part);
      assert.deepEqual(partial.at(-1), { answer: 4 });
      assert.deepEqual(await streamed.output, { answer: 4 });
      assert.equal(await streamed.text, '{"answer":4}');
      assert.equal((await streamed.steps).length, 1);
    });

    for (const mode of ['generate', 'stream'] as const)
      for (const route of ['live', 'json', 'ui'] as const)
        test(`sends the same bytes as ordinary steps, ${endpoint.name}, ${mode}, ${route}`, async () => {
          const inside = await requestsOf(endpoint, mode, route, 'model-call');
          const steps = await requestsOf(endpoint, mode, route, 'steps');
          assert.equal(inside.length, 4);
          assert.match(inside[3] ?? '', /(?:Let me load a tool\..*And another\.|msg_1.*msg_2)/s);
          assert.deepEqual(inside, steps);
        });
  }

  test('streams a text that begins like JSON at once', async () => {
    let read = 0;
    const source = async function* (): AsyncGenerator<Part> {
      for (const part of [start, delta(' {"a'), delta('":1}'), end]) {
        read++;
        yield part;
      }
    };
    const parts = holdTexts(source(), undefined);
    assert.deepEqual((await parts.next()).value, start);
    assert.equal(read, 2);
    assert.deepEqual((await parts.next()).value, delta(' {"a'));
    assert.deepEqual((await parts.next()).value, delta('":1}'));
    assert.equal(read, 3);
  });

  test('a text that ends after the load, or goes on after it, is left out and kept in its place', async () => {
    const call = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'load_tools',
      input: '{}',
    } as const;
    const source = async function* (): AsyncGenerator<Part> {
      yield* [start, delta('One '), delta('two'), call, delta('three'), end, finish];
    };
    const incoming = { isInside: () => true, inside: { count: 1 } } as unknown as ResponseCalls;
    const kept: unknown[] = [];
    for await (const part of holdTexts(source(), incoming))
      kept.push(part.type === 'custom' ? part.providerMetadata : part.type);
    const texts = ['One two', 'three'].map((text) => ({ toolfold: { text } }));
    assert.deepEqual(kept, [texts[0], 'tool-call', texts[1], 'finish']);
  });

  test('a text that is an ordinary answer stays a text', async () => {
    await using server = await startModelServer({ script: [{ text: 'No.' }, { text: 'No.' }] });
    const model = modelOn(server, ENDPOINTS[2] ?? assert.fail());
    const settings = { ...foldOf('model-call').with(model), prompt: 'Go.', output };
    assert.equal(
      (await generateText({ ...settings, output: Output.json() }).catch((error) => error)).text,
      'No.',
    );
    assert.equal(await streamText({ ...settings, onError: () => {} }).text, 'No.');
  });
});

async function requestsOf(
  endpoint: Endpoint,
  mode: 'generate' | 'stream',
  route: 'live' | 'json' | 'ui',
  loads: 'model-call' | 'steps',
): Promise<string[]> {
  await using server = await startModelServer({ script: SCRIPT });
  const conversation = new Conversation({
    mode,
    route,
    model: modelOn(server, endpoint),
    fold: () => foldOf(loads),
    settings: { output },
  });
  await conversation.say('Go.');
  await conversation.say('And?');
  const report = auditPrefix(server.requests);
  assert.ok(report.held, formatAuditReport(report));
  return server.requests.map(({ raw }) => raw);
}
