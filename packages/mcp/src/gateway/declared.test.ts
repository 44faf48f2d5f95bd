import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import type { Answer } from '../../test/gateway/raw-client.test-support.ts';
import type { Era, Json } from '../../test/gateway/raw-server.test-support.ts';
import { fixtureEntry, openClient, openGateway } from '../../test/gateway/scene.test-support.ts';
import { isDeclared } from './questions.ts';

const limited = { timeout: 60_000 };

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const PAGE = { mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: 'one' };
const SAMPLE = { messages: [], maxTokens: 1 };

const form = { method: 'elicitation/create', params: FORM };
const page = { method: 'elicitation/create', params: PAGE };
const sample = { method: 'sampling/createMessage', params: SAMPLE };
const sampleTools = { method: 'sampling/createMessage', params: { ...SAMPLE, tools: [] } };
const roots = { method: 'roots/list', params: {} };
const odd = { method: 'odd/ask', params: {} };

interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

/** Capabilities, a question, and whether a client with these can be asked it. */
const rows: readonly (readonly [JsonObject, Question, boolean])[] = [
  [{}, form, false],
  [{ elicitation: {} }, form, true],
  [{ elicitation: {} }, { ...form, params: { ...FORM, mode: 'form' } }, true],
  [{ elicitation: {} }, page, false],
  [{ elicitation: { form: {} } }, form, true],
  [{ elicitation: { form: {} } }, page, false],
  [{ elicitation: { url: {} } }, form, false],
  [{ elicitation: { url: {} } }, page, true],
  [{ elicitation: true }, form, false],
  [{ elicitation: null }, form, false],
  [{ sampling: {} }, sample, true],
  [{ sampling: {} }, sampleTools, false],
  [{ sampling: { tools: {} } }, sampleTools, true],
  [{ elicitation: {} }, sample, false],
  [{ roots: { listChanged: true } }, roots, true],
  [{ sampling: {} }, roots, false],
  [{ elicitation: {}, sampling: {}, roots: {} }, odd, false],
  [JSON.parse('{"__proto__":{"roots":{}}}'), roots, false],
];

test('what a client can be asked', () => {
  for (const [capabilities, question, isPossible] of rows)
    assert.equal(
      isDeclared(question, capabilities),
      isPossible,
      JSON.stringify([capabilities, question]),
    );
});

const shown = ({ result, error }: Answer): string => JSON.stringify(result ?? error);

/** What each kind of client lacks for a question. */
const asked: readonly (readonly [string, Question, Json])[] = [
  ['a form', form, { sampling: {}, roots: {} }],
  ['a page', page, { elicitation: {} }],
  ['a sample', sample, { elicitation: {} }],
  ['folders', roots, { elicitation: {} }],
  ['an unknown question', odd, { elicitation: {}, sampling: {}, roots: {} }],
];

for (const server of ['legacy', 'modern'] as const)
  for (const era of ['legacy', 'modern'] as const)
    test(
      `promise 72: a ${era} client is asked by a ${server} server only for what it declared`,
      limited,
      async (context) => {
        const fixture = await fixtureEntry(context, server, 'http');
        const gateway = openGateway(context, { fixture }, { mode: 'eager' });
        for (const way of ['stdio', 'http'] as const)
          for (const [, question, capabilities] of asked) {
            const seen: string[] = [];
            const answer = (method: string): Json => {
              seen.push(method);
              return method === 'roots/list' ? { roots: [] } : {};
            };
            const client = await openClient(context, gateway, way, { era, capabilities, answer });
            const params = { name: 'fixture__ask', arguments: { questions: { one: question } } };
            const answered = shown(await client.request('tools/call', params));
            assert.match(answered, /does not support/);
            assert.match(answered, server === 'modern' ? /-32021/ : /-32601/);
            assert.ok(!seen.includes(question.method) || question === roots, seen.join());
            assert.match(shown(await client.call('fixture__given')), /arguments/);
          }
      },
    );

const bothEras: readonly Era[] = ['legacy', 'modern'];

for (const era of bothEras)
  test(
    `a question about folders carries parameters for a ${era} client`,
    limited,
    async (context) => {
      const fixture = await fixtureEntry(context, 'legacy');
      const gateway = openGateway(context, { fixture }, { mode: 'eager' });
      const given: unknown[] = [];
      const client = await openClient(context, gateway, 'stdio', {
        ...{ era, capabilities: { roots: {} } },
        answer: (method, params) => {
          given.push([method, params]);
          return { roots: [] };
        },
      });
      const params = {
        name: 'fixture__ask',
        arguments: { questions: { one: { method: 'roots/list' } } },
      };
      assert.match(shown(await client.complete('tools/call', params)), /roots/);
      assert.ok(given.length > 0);
      for (const one of given) assert.deepEqual(one, ['roots/list', {}]);
    },
  );
