import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, streamText } from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { BRIDGE, DISPATCH } from '../scenarios.test-support.ts';
import { callsOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const NAME = 'github__create_issue';
const title = { title: 'forced' };
const stopWhen = isStepCount(1);

for (const endpoint of ENDPOINTS) {
  describe(`promise 19: ${endpoint.name}`, () => {
    for (const strategy of ['dispatch', 'bridge', 'inject', 'lazy', 'eager'] as const) {
      test(`promise 19: a forced deferred tool, ${strategy}`, async () => {
        for (const run of [generateText, streamText]) {
          const native = { name: NAME, arguments: title };
          const call =
            strategy === 'dispatch'
              ? DISPATCH.call(NAME, title)
              : strategy === 'bridge'
                ? BRIDGE.call(NAME, title)
                : native;
          await using server = await startModelServer({
            script: [{ calls: [call] }, { calls: [call] }, { text: 'Done.' }],
          });
          const runs: Runs = [];
          const options = foldOptions(runs);
          const groups = options.groups?.filter(({ groupId }) => groupId !== 'mcp:flaky') ?? [];
          const fold = createFold({ ...options, groups, strategy });
          const settings = fold.with(modelOn(server, endpoint));
          const toolChoice = { type: 'tool', toolName: NAME } as const;
          const first = run({
            ...settings,
            prompt: 'Go',
            stopWhen,
            toolChoice: toolChoice as never,
          });
          const messages = [
            { role: 'user' as const, content: 'Go' },
            ...(await (await first).responseMessages),
          ];
          const again = run({ ...settings, messages, stopWhen, toolChoice: toolChoice as never });
          messages.push(...(await (await again).responseMessages));
          await (await run({ ...settings, messages, stopWhen })).text;
          assert.equal(runs.length, 2);
          const choices = server.requests.map(({ body }) =>
            JSON.stringify(body.tool_choice ?? null),
          );
          const through = { dispatch: DISPATCH.dispatcher, bridge: BRIDGE.dispatcher };
          const forced = ownProperty(through, strategy) ?? NAME;
          assert.match(choices[0] ?? '', new RegExp(String(forced)));
          const report = auditPrefix(server.requests);
          const kept = strategy !== 'lazy' && strategy !== 'inject';
          assert.ok(report.held || !kept, formatAuditReport(report));
          // Declared in this and all later requests, so that the tools never shrink.
          if (!kept)
            assert.ok(server.requests.every((request) => toolsOn(request).at(-1) === NAME));
        }
      });
    }

    test('promise 19: bridges renamed for a model family; older transcripts replay', async () => {
      const script = [
        { calls: [BRIDGE.call(NAME, title)] },
        { text: 'Done.' },
        { calls: [{ ...BRIDGE.call(NAME, title), name: 'call_tool' }] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const runs: Runs = [];
      const fold = createFold({ ...foldOptions(runs), strategy: 'bridge' });
      const options = { stopWhen: isStepCount(3) };
      const first = await generateText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go',
        ...options,
      });
      const messages = [
        { role: 'user' as const, content: 'Go' },
        ...first.responseMessages,
        { role: 'user' as const, content: 'Again' },
      ];
      await generateText({
        ...fold.with(modelOn(server, endpoint, 'qwen3-coder')),
        messages,
        ...options,
      });
      const last = server.requests.at(-1) ?? assert.fail();
      assert.deepEqual(
        callsOn(last).map(({ name }) => name),
        ['tool_call', 'call_tool'],
      );
      assert.ok(toolsOn(last).includes('call_tool') && !toolsOn(last).includes('tool_call'));
      assert.equal(runs.length, 2);
      assert.ok(auditPrefix(server.requests.slice(2)).held);
    });

    test('promise 19: no loader runs before an earlier call', async () => {
      for (const run of [generateText, streamText]) {
        for (const late of [DISPATCH.call('late__go', {}), { name: 'late__go', arguments: {} }]) {
          const calls = [{ name: 'ask', arguments: { question: 'slow' } }, late];
          await using server = await startModelServer({ script: [{ calls }, { text: 'Done.' }] });
          const runs: Runs = [];
          let seen: string[] = [];
          const loader = async () => {
            seen = runs.map(({ tool }) => tool);
            return [{ name: 'go', inputSchema: { type: 'object' }, execute: () => 'gone' }];
          };
          const groups = [{ groupId: 'late', toolNames: ['go'], loader }];
          const fold = createFold({ ...foldOptions(runs), groups });
          const settings = {
            ...fold.with(modelOn(server, endpoint)),
            prompt: 'Go',
            toolCallConcurrency: 1,
          };
          await (await run({ ...settings, stopWhen: isStepCount(2) })).text;
          assert.deepEqual(seen, ['ask']);
          assert.equal(resultsOn(server.requests.at(-1) ?? assert.fail())[1]?.text, 'gone');
        }
      }
    });
  });
}
