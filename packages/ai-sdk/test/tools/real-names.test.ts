import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  generateText,
  isStepCount,
  isToolUIPart,
  NoSuchToolError,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { createFold } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { callsOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const { call, load } = DISPATCH;
const NAME = 'github__create_issue';
const script: Reply[] = [
  { calls: [load('mcp:github')] },
  { calls: [call(NAME, { title: 'bug' }), call(NAME, { title: 5 })] },
  { text: 'Done.' },
];
const stopWhen = isStepCount(5);

for (const endpoint of ENDPOINTS) {
  describe(`promise 9: the app sees the real call, ${endpoint.name}`, () => {
    test('promise 9: hooks, steps, approvals and events see name, arguments and id', async () => {
      await using server = await startModelServer({ script });
      const runs: Runs = [];
      const events: CallEvent[] = [];
      const onCall = (event: CallEvent) => events.push(event);
      const fold = createFold({ ...foldOptions(runs), loads: 'steps', onCall });
      const started: string[] = [];
      const asked: unknown[] = [];
      const steps: string[][] = [];
      const result = await generateText({
        ...fold.with(modelOn(server, endpoint)),
        prompt: 'Go',
        stopWhen,
        toolApproval: ({ toolCall }) => {
          asked.push([toolCall.toolName, toolCall.input]);
          return 'not-applicable';
        },
        onToolExecutionStart: ({ toolCall }) => {
          started.push(toolCall.toolName);
        },
        onStepEnd: ({ toolCalls }) => {
          steps.push(toolCalls.map(({ toolName }) => toolName));
        },
      });
      assert.deepEqual(started, ['load_tools', NAME]);
      assert.deepEqual(asked, [
        ['load_tools', { group_id: 'mcp:github' }],
        [NAME, { title: 'bug' }],
      ]);
      assert.deepEqual(steps, [['load_tools'], [NAME, NAME], []]);
      const last = server.requests.at(-1) ?? assert.fail();
      assert.deepEqual(
        runs.map(({ id }) => id),
        [callsOn(last)[1]?.id],
      );
      assert.deepEqual(
        events.map(({ name, wireName, outcome }) => [name, wireName, outcome]),
        [
          ['load_tools', 'load_tools', 'answered'],
          [NAME, 'deferred_tool_call', 'refused'],
          [NAME, 'deferred_tool_call', 'run'],
        ],
      );
      assert.equal(result.steps[1]?.toolCalls[1]?.invalid, true);
    });

    test('promise 9: UI parts have the real tool and the id of the provider', async () => {
      await using server = await startModelServer({ script });
      const fold = createFold(foldOptions([]));
      const agent = new ToolLoopAgent({ ...fold.with(modelOn(server, endpoint)), stopWhen });
      const result = await agent.stream({ prompt: 'Go' });
      let message: UIMessage | undefined;
      for await (const state of readUIMessageStream({
        stream: toUIMessageStream({ stream: result.stream }),
      })) {
        message = state;
      }
      const parts = message?.parts.filter(isToolUIPart) ?? [];
      assert.deepEqual(
        parts.map(({ type }) => type),
        ['tool-load_tools', `tool-${NAME}`, `tool-${NAME}`],
      );
      const ids = callsOn(server.requests.at(-1) ?? assert.fail()).map(({ id }) => id);
      assert.deepEqual(
        parts.map(({ toolCallId }) => toolCallId),
        ids,
      );
      assert.deepEqual(parts[1]?.input, { title: 'bug' });
      assert.equal(parts[2]?.state, 'output-error');
    });

    test('promise 9: activeTools neither changes the declared tools nor exposes a tool', async () => {
      for (const name of [NAME, 'ask', 'nobody']) {
        const native: Reply[] = [
          { calls: [call(name, { title: 'x', question: 'q' })] },
          { text: 'Done.' },
        ];
        const declared = async (activeTools?: string[]) => {
          await using server = await startModelServer({ script: native });
          const runs: Runs = [];
          const fold = createFold(foldOptions(runs));
          const active = activeTools ? { activeTools: activeTools as never } : {};
          await generateText({
            ...fold.with(modelOn(server, endpoint)),
            prompt: 'Go',
            stopWhen,
            ...active,
          });
          const last = server.requests.at(-1) ?? assert.fail();
          return {
            tools: server.requests.map(toolsOn),
            result: resultsOn(last)[0]?.text ?? '',
            runs,
            raw: last.raw,
          };
        };
        const all = await declared();
        const some = await declared(['deploy', 'deferred_tool_call']);
        assert.deepEqual(some.tools, all.tools);
        assert.deepEqual(some.runs, []);
        assert.match(some.result, name === 'nobody' ? /unknown_tool/ : /tool_not_active/);
        assert.ok(!/NoSuchTool|Available tools/.test(some.raw));
      }
    });

    test('promise 9: a repair hook of the app gets the real call and repairs it', async () => {
      for (const stream of [false, true]) {
        await using server = await startModelServer({
          script: [
            { calls: [call(NAME, { title: 5 }), { name: 'ask', arguments: { question: 1 } }] },
            { text: 'Done.' },
          ],
        });
        const runs: Runs = [];
        const fold = createFold(foldOptions(runs));
        const given = {
          ...fold.with(modelOn(server, endpoint)),
          prompt: 'Go',
          stopWhen,
          repairToolCall: async ({
            toolCall,
            error,
          }: {
            toolCall: { toolName: string; input: string };
            error: Error;
          }) => {
            assert.ok(!NoSuchToolError.isInstance(error));
            const input = JSON.parse(toolCall.input);
            const [key] = Object.keys(input);
            return { ...toolCall, input: JSON.stringify({ [String(key)]: 'repaired' }) };
          },
        };
        if (stream) await streamText(given as never).text;
        else await generateText(given as never);
        assert.deepEqual(
          new Set(runs.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`)),
          new Set(['ask {"question":"repaired"}', `${NAME} {"title":"repaired"}`]),
        );
        const last = server.requests.at(-1) ?? assert.fail();
        assert.match(resultsOn(last)[0]?.text ?? '', /"done"/);
      }
    });
  });
}

test('promise 18: a denied call is one event', async () => {
  const endpoint = ENDPOINTS[0] as Endpoint;
  await using server = await startModelServer({
    script: [
      { calls: [call(NAME, { title: 'a' }), { name: 'deploy', arguments: { target: 'a' } }] },
      { text: 'Done.' },
      { text: 'More.' },
    ],
  });
  const events: CallEvent[] = [];
  const fold = createFold({ ...foldOptions([]), onCall: (event) => events.push(event) });
  const settings = fold.with(modelOn(server, endpoint));
  const { responseMessages } = await generateText({
    ...settings,
    prompt: 'Go',
    stopWhen,
    toolApproval: () => 'denied',
  });
  await generateText({
    ...settings,
    messages: [
      { role: 'user', content: 'Go' },
      ...responseMessages,
      { role: 'user', content: 'And?' },
    ],
  });
  assert.deepEqual(
    events.map(({ name, wireName, outcome }) => [name, wireName, outcome]),
    [
      [NAME, 'deferred_tool_call', 'refused'],
      ['deploy', 'deploy', 'refused'],
    ],
  );
});
