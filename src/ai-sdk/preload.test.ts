import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { generateText, isStepCount } from 'ai';
import { fakeGroup, type Reply, startModelServer } from '../testing/index.ts';
import { estimateTokens } from '../tools/tokens/index.ts';
import { ENDPOINTS } from './endpoints.test-support.ts';
import { createFold } from './fold.ts';
import type { ChoosePreload } from './request/index.ts';

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

  test('knows about the tokens of the request', async () => {
    const seen: number[] = [];
    const remember: ChoosePreload = ({ requestTokens }) => {
      seen.push(requestTokens());
      return [];
    };
    const { raw } = await send(remember);
    const [tokens = 0] = seen;
    assert.ok(Math.abs(tokens - estimateTokens(raw)) < 0.25 * tokens, `${tokens} of ${raw}`);
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
