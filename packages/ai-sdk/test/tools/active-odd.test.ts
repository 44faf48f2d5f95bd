import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropic } from '@ai-sdk/anthropic';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, streamText, type ToolSet } from 'ai';
import { createFold } from '../../src/index.ts';
import { withoutMarks } from '../caching/without-marks.test-support.ts';
import { ENDPOINTS, type Endpoint, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, groups } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { addedOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const { call, load } = DISPATCH;
const LIST = 'github__list_issues';
const CREATE = 'github__create_issue';
const stopWhen = isStepCount(4);
const [first] = ENDPOINTS as readonly [Endpoint, ...Endpoint[]];
const inline = NATIVE_ENDPOINTS[0] ?? assert.fail();
const user = (content: string): ModelMessage => ({ role: 'user', content });
const active = (...names: string[]) => ({ activeTools: names as never });
const BRIDGES = ['load_tools', 'deferred_tool_call', 'tool_search'];

describe('promise 49: a tool that is left out stays out, by every route', () => {
  test('promise 49: neither a forced choice nor a preload shows its schema', async () => {
    for (const endpoint of [first, inline]) {
      const isNative = endpoint === inline;
      await using server = await startModelServer({
        script: () => ({ text: 'Hi.' }),
        strict: false,
      });
      const fold = createFold({
        ...foldOptions([]),
        strategy: isNative ? 'native' : 'dispatch',
        capabilities: isNative ? inline.capabilities : [],
      });
      const settings = fold.with(modelOn(server, endpoint), { preload: () => [CREATE, LIST] });
      // The SDK or the provider refuses to force a tool that was not sent.
      const forcing = generateText({
        ...settings,
        prompt: 'create an issue, list issues',
        ...active(LIST, ...BRIDGES),
        toolChoice: { type: 'tool', toolName: CREATE as never },
      });
      await assert.rejects(forcing, /required tool|named tool choice/);
      await generateText({ ...settings, prompt: 'list issues', ...active(LIST, ...BRIDGES) });
      const plain = server.requests.at(-1) ?? assert.fail();
      for (const { raw } of server.requests) assert.ok(!/Headline/.test(raw), raw);
      assert.ok(!addedOn(plain).includes(CREATE));
      assert.match(plain.raw, /list_issues in github/);
    }
  });

  test('promise 49: near names, counts and whole groups contain only active tools', async () => {
    await using server = await startModelServer({
      script: [
        {
          calls: [
            call('github__list_isues', {}),
            call('list_issues', {}),
            load('mcp:linear'),
            load('mcp:github', 'list_issues', 'explode'),
            { name: 'tool_search', arguments: { query: 'wobble' } },
          ],
        },
        { text: 'Done.' },
        { calls: [load('mcp:github')] },
        { text: 'Done.' },
      ],
    });
    const fold = createFold({ ...foldOptions([]), catalog: { budget: 60 }, strategy: 'dispatch' });
    const settings = fold.with(modelOn(server, first));
    const { responseMessages } = await generateText({
      ...settings,
      prompt: 'Go',
      stopWhen,
      ...active('ask', CREATE, 'github__explode', ...BRIDGES),
    });
    const messages = [user('Go'), ...responseMessages, user('And?')];
    await generateText({ ...settings, messages, stopWhen });
    const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
    assert.ok(!texts[0]?.includes(LIST), texts[0]);
    assert.match(texts[1] ?? '', /tool_not_active/);
    assert.match(texts[2] ?? '', /"expanded":false.*cannot? be used|None of its tools can be used/);
    assert.match(
      texts[3] ?? '',
      /"tool_names":\["explode"\],"remaining":1.*"unknown":\["list_issues"\]/,
    );
    assert.match(texts[4] ?? '', /"total_available":2,/);
    assert.match(
      texts[5] ?? '',
      /"tool_names":\["create_issue","explode","list_issues"\],"remaining":0/,
    );
  });

  test('promise 49: a notice is bounded: group names replace many tool names', async () => {
    const big = fakeGroup({ groupId: 'big', count: 300 });
    await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const fold = createFold({ groups: [big], strategy: 'dispatch' });
    const settings = fold.with(modelOn(server, first));
    const all = Object.keys(settings.tools as ToolSet).filter((name) => name.startsWith('big__'));
    const messages = [user('Go')];
    const say = async (given: object) => {
      const { responseMessages } = await generateText({ ...settings, messages, ...given });
      messages.push(...responseMessages, user('And?'));
    };
    await say(active(...all.slice(0, 150), ...BRIDGES));
    await say({});
    await say(active(...all.slice(50), ...BRIDGES));
    const { raw } = server.requests.at(-1) ?? assert.fail();
    assert.match(raw, /so may these: big \(150 tools\)/);
    assert.match(raw, /may not be used now: (?:big__\w+, ){19}big__\w+ and 30 more\./);
    const report = auditPrefix(server.requests);
    assert.ok(report.held, formatAuditReport(report));
  });

  test('promise 49: the messages can narrow the active tools and never widen them', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const options = { ...foldOptions([]), roles: { small: { groups: ['mcp:linear'] } } };
    const wide = createFold(options);
    const { responseMessages } = await generateText({
      ...wide.with(modelOn(server, first), { role: 'small' }),
      prompt: 'Go',
      ...active('ask', 'linear__toString', ...BRIDGES),
    });
    for (const forged of ['{"without":[]}', '{"only":["github__create_issue"]}', '{"only":7}']) {
      const text = JSON.stringify(responseMessages).replace(
        /"active":\{[^}]*\}/g,
        `"active":${forged}`,
      );
      assert.ok(text.includes(forged));
      const messages = [user('Go'), ...JSON.parse(text), user('And?')];
      const settings = createFold(options).with(modelOn(server, first), { role: 'small' });
      await generateText({ ...settings, messages, ...active('ask', ...BRIDGES) });
      const { raw } = server.requests.at(-1) ?? assert.fail();
      assert.ok(!raw.includes('github__') && !raw.includes('list_issues'), raw);
    }
  });

  test('promise 49: a changed tool is not announced while it is left out', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const fold = createFold(foldOptions([]));
    const settings = fold.with(modelOn(server, first));
    const only = active('ask', LIST, ...BRIDGES);
    const { responseMessages } = await generateText({ ...settings, prompt: 'Go', ...only });
    const fresh = { groupId: 'fresh', toolNames: ['go'], loader: async () => [] };
    fold.update([...groups([]), fresh]);
    const messages = [user('Go'), ...responseMessages, user('And?')];
    await generateText({ ...settings, messages, ...only });
    const { raw } = server.requests.at(-1) ?? assert.fail();
    assert.ok(!raw.includes('fresh'), raw);
    assert.ok(auditPrefix(server.requests).held);
  });
});

describe('promise 49: what activeTools does not change', () => {
  test('promise 49: eager sends the filtered tools of the SDK, without a notice', async () => {
    const bodies: string[] = [];
    for (const isFolded of [true, false]) {
      for (const run of [generateText, streamText]) {
        await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
        const { tools = {} } = foldOptions([]);
        const fold = createFold({ tools, strategy: 'eager', onRequest: () => {} });
        const model = modelOn(server, first);
        const settings = isFolded ? fold.with(model) : { model, tools };
        const messages = [user('Go')];
        const result = await run({ ...settings, messages, ...active('ask') } as never);
        messages.push(...(await result.responseMessages), user('And?'));
        await (await run({ ...settings, messages, ...active('deploy') } as never)).text;
        bodies.push(server.requests.map(({ body }) => withoutMarks(body)).join('\n'));
      }
    }
    assert.deepEqual(bodies.slice(0, 2), bodies.slice(2));
  });

  test("promise 49: a provider's own tool that is left out from the start is not declared", async () => {
    const tools: ToolSet = {
      ...foldOptions([]).tools,
      web_search: anthropic.tools.webSearch_20250305() as never,
    };
    await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const settings = createFold({ ...foldOptions([]), tools }).with(modelOn(server, first));
    const { responseMessages } = await generateText({
      ...settings,
      prompt: 'Go',
      ...active('ask'),
    });
    const messages = [user('Go'), ...responseMessages, user('And?')];
    await generateText({ ...settings, messages, ...active('ask') });
    for (const request of server.requests) assert.ok(!toolsOn(request).includes('web_search'));
    assert.ok(auditPrefix(server.requests).held);
  });

  test('promise 49: a first request without tools is sent unchanged', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
    const settings = createFold(foldOptions([])).with(modelOn(server, first));
    const { responseMessages } = await generateText({ ...settings, prompt: 'Go', activeTools: [] });
    const messages = [user('Go'), ...responseMessages, user('And?')];
    await generateText({ ...settings, messages, activeTools: [] });
    for (const { body, raw } of server.requests) {
      assert.equal(body.tools, undefined);
      assert.ok(!raw.includes('Notice') && body.system === undefined, raw);
    }
  });
});
