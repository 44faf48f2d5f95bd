import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { createFold } from '../../src/fold/fold.ts';
import type { ChoosePreload } from '../../src/request/tail.ts';
import { ENDPOINTS } from '../endpoints.test-support.ts';

const [anthropic] = ENDPOINTS;
assert.ok(anthropic);

/** One request with a preload; the groups that loaded, and the body that was sent. */
async function send(preload: ChoosePreload, role?: string) {
  await using server = await startModelServer({ script: [{ text: 'Hm.' }] });
  const groups = ['mail', 'wiki'].map((name) => fakeGroup({ groupId: `mcp:${name}`, count: 3 }));
  const roles = { writer: { tools: ['mcp:wiki'] } };
  const fold = createFold({ strategy: 'dispatch', groups, roles });
  const model = anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail();
  const fields = fold.with(model, { preload, ...(role === undefined ? {} : { role }) });
  await generateText({ ...fields, prompt: 'Hello.', maxRetries: 0 });
  const loaded = groups.flatMap(({ groupId, loads }) => (loads > 0 ? [groupId] : []));
  return { loaded, raw: server.requests[0]?.raw ?? '' };
}

suite('preload', () => {
  test('loads the group of a chosen tool, also if the text does not find it', async () => {
    const { loaded, raw } = await send(({ tools, tokensOf }) =>
      tools
        .filter(({ groupId, name }) => groupId === 'mcp:mail' && tokensOf(name) !== undefined)
        .slice(0, 1)
        .map(({ name }) => name),
    );
    assert.deepEqual(loaded, ['mcp:mail']);
    assert.match(raw, /tools that may help here/);
  });

  const call = { tool_name: 'mail__list_issue', arguments: { issue_id: '1', amount: 1 } };
  const use: Reply = { calls: [{ name: 'deferred_tool_call', arguments: call }] };
  const load: Reply = { calls: [{ name: 'load_tools', arguments: { group_id: 'mcp:mail' } }] };
  for (const [where, script] of [
    ['in the response to the same request', [load, use, { text: 'Done.' }]],
    ['in a later step', [use, load, { text: 'Done.' }]],
  ] as const)
    test(`a load ${where} does not repeat the schema`, async () => {
      await using server = await startModelServer({ script });
      const groups = [fakeGroup({ groupId: 'mcp:mail', count: 3 })];
      const fold = createFold({ strategy: 'dispatch', groups });
      const model = anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail();
      const fields = fold.with(model, { preload: () => ['mail__list_issue'] });
      const stopWhen = isStepCount(3);
      await generateText({ ...fields, prompt: 'Hello.', maxRetries: 0, stopWhen });
      const raw = server.requests.at(-1)?.raw ?? '';
      assert.equal(raw.split('shown_before').length, 2);
      assert.equal(raw.split('Lists each issue').length, 2);
    });

  test('a new epoch does not repeat the texts of earlier ones, so the schema is preloaded again', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Hm.' }) });
    const groups = ['mail', 'wiki'].map((name) => fakeGroup({ groupId: `mcp:${name}`, count: 3 }));
    const fold = createFold({ strategy: 'dispatch', groups });
    const model = anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail();
    const messages: ModelMessage[] = [];
    /** How often the request has the schema, how the model got it, and how many were preloaded for it. */
    const say = async (content: string, only: readonly string[]) => {
      messages.push({ role: 'user', content });
      const said: unknown[] = [];
      const fields = fold.with(model, {
        only,
        preload: ({ user }) => (user === 'Go.' ? ['mail__list_issue'] : []),
        onRequest: ({ schemaOf, preloaded }) =>
          said.push(schemaOf?.('mail__list_issue'), preloaded?.length ?? 0),
      });
      const { responseMessages } = await generateText({ ...fields, messages, maxRetries: 0 });
      messages.push(...responseMessages);
      return [(server.requests.at(-1)?.raw ?? '').split('Lists each issue').length - 1, ...said];
    };
    const [one, other] = [['mcp:*'], ['mcp:mail']];
    assert.deepEqual(await say('Go.', one), [1, 'preloaded', 1]);
    assert.deepEqual(await say('Go.', one), [1, 'preloaded', 0]);
    assert.deepEqual(await say('Hello.', other), [0, undefined, 0]);
    assert.deepEqual(await say('Hello.', other), [0, undefined, 0]);
    assert.deepEqual(await say('Go.', other), [1, 'preloaded', 1]);
    assert.deepEqual(await say('Go.', other), [1, 'preloaded', 0]);
  });

  test('knows the tokens of the request, with its messages', async () => {
    const seen: number[] = [];
    const counted: number[] = [];
    await using server = await startModelServer({ script: [{ text: 'Hm.' }] });
    const groups = [fakeGroup({ groupId: 'mcp:mail', count: 3 })];
    const fold = createFold({ strategy: 'dispatch', groups });
    const fields = fold.with(anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail(), {
      preload: ({ requestTokens }) => {
        seen.push(requestTokens());
        return [];
      },
      onRequest: ({ tokens }) => counted.push(tokens.total),
    });
    const instructions = 'Answer briefly. '.repeat(50);
    await generateText({ ...fields, instructions, prompt: 'Hello. '.repeat(50), maxRetries: 0 });
    const [wanted = 0] = counted;
    assert.ok(seen.length > 0 && wanted > 0);
    for (const tokens of seen) assert.ok(Math.abs(tokens - wanted) < 5, `${tokens}, ${wanted}`);
  });

  const failure = new Error('The index is broken');
  const broken = () => {
    throw failure;
  };
  const search = () => [];
  for (const [part, options, preload] of [
    ['the search', { search: { index() {}, search: broken } }, undefined],
    ['the index of the search', { search: { index: broken, search } }, undefined],
    ['the function that creates the search', { search: () => Promise.reject(failure) }, undefined],
    ['the choice', {}, broken],
  ] as const)
    test(`if ${part} fails, nothing is preloaded, with a warning, and the turn goes on`, async () => {
      await using server = await startModelServer({ script: () => ({ text: 'Hm.' }) });
      const warnings: string[] = [];
      const groups = [fakeGroup({ groupId: 'mcp:mail', count: 3 })];
      const onWarning = (text: string) => warnings.push(text);
      const fold = createFold({ ...{ strategy: 'dispatch', groups, onWarning }, ...options });
      const model = anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail();
      const choose: ChoosePreload = ({ user, search: find, tools }) => [
        ...find(user, 1).map(({ key }) => key),
        ...tools.slice(0, 1).map(({ name }) => name),
      ];
      const fields = fold.with(model, { preload: preload ?? choose });
      const { text } = await generateText({ ...fields, prompt: 'Hello.', maxRetries: 0 });
      assert.equal(text, 'Hm.');
      assert.doesNotMatch(server.requests[0]?.raw ?? '', /tools that may help here/);
      assert.equal(warnings.length, 1);
      assert.match(String(warnings[0]), /^Nothing was preloaded .*The index is broken\. /);
    });

  test('an abort while the search is created ends the turn, without a warning', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Hm.' }) });
    const warnings: string[] = [];
    const controller = new AbortController();
    const fold = createFold({
      strategy: 'dispatch',
      groups: [fakeGroup({ groupId: 'mcp:mail', count: 3 })],
      onWarning: (text) => warnings.push(text),
      search: () => {
        controller.abort(new Error('Enough.'));
        return new Promise(() => {});
      },
    });
    const model = anthropic?.model(server.baseUrl('anthropic')) ?? assert.fail();
    const fields = fold.with(model, { preload: () => [] });
    const { signal } = controller;
    const sent = generateText({ ...fields, prompt: 'Hello.', maxRetries: 0, abortSignal: signal });
    await assert.rejects(sent, /Enough/);
    assert.deepEqual([warnings, server.requests.length], [[], 0]);
  });

  test('loads no group outside the role', async () => {
    const { loaded, raw } = await send(() => ['mail__create_issue', 'mail__nothing'], 'writer');
    assert.deepEqual(loaded, []);
    assert.doesNotMatch(raw, /tools that may help here/);
  });

  test('loads nothing for a turn that chooses nothing and finds nothing', async () => {
    assert.deepEqual((await send(() => [])).loaded, []);
  });
});
