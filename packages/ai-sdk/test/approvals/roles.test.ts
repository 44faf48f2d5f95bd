import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { BRIDGE, DISPATCH } from '../scenarios.test-support.ts';
import { toolsOn } from '../wire.test-support.ts';

const SECRET = /linear|Linear/;

for (const endpoint of ENDPOINTS) {
  for (const to of [DISPATCH, BRIDGE]) {
    describe(`promise 20: two roles over one fold at the same time, ${to.strategy}, ${endpoint.name}`, () => {
      test('promise 22: bodies, results and suggestions contain no tool of the other view, by any route', async () => {
        const runs: Runs = [];
        const attempts: ReplyCall[] = [
          to.load('mcp:linear'),
          to.call('linear__create_issue', { title: 'x' }),
          to.call('create_isue', {}),
          to.call('lin', {}),
          { name: 'linear__create_issue', arguments: { title: 'x' } },
          { name: 'tool_search', arguments: { query: 'create issue' } },
          { name: 'tool_describe', arguments: { name: 'linear__create_issue' } },
        ];
        const script = (mine: ReplyCall[]): Reply[] => [
          ...mine.map((call) => ({ calls: [call] })),
          { text: 'Done.' },
        ];
        await using limited = await startModelServer({ script: script(attempts) });
        await using full = await startModelServer({ script: script(attempts) });
        const fold = createFold({
          ...foldOptions(runs),
          strategy: to.strategy,
          roles: { guest: { tools: ['github__*', 'ask'] }, admin: {} },
        });
        const stopWhen = isStepCount(20);
        const guest = generateText({
          ...fold.with(modelOn(limited, endpoint), { role: 'guest' }),
          prompt: 'Go',
          stopWhen,
        });
        const admin = streamText({
          ...fold.with(modelOn(full, endpoint), { role: 'admin' }),
          prompt: 'Go',
          stopWhen,
        }).text;
        await Promise.all([guest, admin]);
        const mentions = (raw: string) => {
          // Requests repeat the model's own text. No other text may name the group.
          const written = attempts
            .map((call) => JSON.stringify(call.arguments))
            .concat('linear__create_issue', 'mcp:linear');
          return written.reduce(
            (text, own) =>
              text.replaceAll(own, '').replaceAll(JSON.stringify(own).slice(1, -1), ''),
            raw,
          );
        };
        for (const { raw } of limited.requests) assert.doesNotMatch(mentions(raw), SECRET);
        assert.match(full.requests[0]?.raw ?? '', SECRET);
        assert.deepEqual(
          runs.map(({ tool }) => tool),
          ['linear__create_issue', 'linear__create_issue'],
        );
      });
    });
  }

  test(`promise 22: a call approved under one role does not run under another, ${endpoint.name}`, async () => {
    for (const strategy of ['dispatch', 'eager', 'auto'] as const) {
      const runs: Runs = [];
      const native = [
        { name: 'linear__create_issue', arguments: { title: 'x' } },
        { name: 'deploy', arguments: { target: 'x' } },
      ];
      await using server = await startModelServer({
        script: [{ calls: native }, { text: 'Done.' }],
      });
      const options = foldOptions(runs);
      const groups = options.groups?.filter(({ groupId }) => groupId !== 'mcp:flaky') ?? [];
      const fold = createFold({
        ...options,
        groups,
        strategy,
        roles: { guest: { tools: ['github__*'] }, admin: {} },
      });
      const toolApproval = () => 'user-approval' as const;
      const model = modelOn(server, endpoint);
      const asked = await generateText({
        ...fold.with(model, { role: 'admin' }),
        prompt: 'Go',
        toolApproval,
      });
      const responses = asked.content.flatMap((part) =>
        part.type === 'tool-approval-request'
          ? [
              {
                type: 'tool-approval-response' as const,
                approvalId: part.approvalId,
                approved: true,
              },
            ]
          : [],
      );
      assert.equal(responses.length, 2);
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Go' },
        ...asked.responseMessages,
        { role: 'tool', content: responses },
      ];
      // If the SDK does not have the tool, it cannot answer the call and reports this.
      await generateText({ ...fold.with(model, { role: 'guest' }), messages, toolApproval }).catch(
        () => {},
      );
      assert.deepEqual(runs, [], strategy);
    }
  });

  test(`promise 22: a tool of the app outside the role is not in the set of the AI SDK, ${endpoint.name}`, async () => {
    await using server = await startModelServer({ script: [] });
    for (const strategy of ['dispatch', 'eager', 'auto', false] as const) {
      const tools = foldOptions([]).tools ?? assert.fail();
      const fold = createFold({ tools, strategy, roles: { guest: { tools: ['ask'] }, admin: {} } });
      const names = (role: string) =>
        Object.keys(fold.with(modelOn(server, endpoint), { role }).tools);
      assert.ok(names('admin').includes('deploy'), String(strategy));
      assert.ok(!names('guest').includes('deploy'), String(strategy));
    }
  });

  test(`promise 21: the off switch keeps a role, ${endpoint.name}`, async () => {
    await using server = await startModelServer({
      script: [{ calls: [{ name: 'deploy', arguments: { target: 'x' } }] }, { text: 'Done.' }],
    });
    const runs: Runs = [];
    const fold = createFold({
      tools: foldOptions(runs).tools ?? assert.fail(),
      strategy: false,
      roles: { guest: { tools: ['ask'] } },
    });
    await generateText({
      ...fold.with(modelOn(server, endpoint), { role: 'guest' }),
      prompt: 'Go',
      stopWhen: isStepCount(2),
    });
    assert.deepEqual(toolsOn(server.requests[0] ?? assert.fail()), ['ask']);
    assert.deepEqual(runs, []);
  });
}
