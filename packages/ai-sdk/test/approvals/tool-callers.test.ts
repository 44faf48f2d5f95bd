import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anthropic } from '@ai-sdk/anthropic';
import { experimental_getToolCaller } from '@ai-sdk/provider-utils';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  experimental_toolCaller,
  generateText,
  isStepCount,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import { z } from 'zod';
import {
  createFold,
  type Fold,
  type HookedCall,
  type ToolHooks,
  type WithOptions,
} from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn, toolsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const stopWhen = isStepCount(5);
const titled = z.object({ title: z.string() });
const listed = z.object({ calls: z.array(z.object({ name: z.string(), input: z.any() })) });

interface Inner {
  readonly name: string;
  readonly input: unknown;
}

/** A tool that runs other tools in order and returns the outcome of each. */
function batch(outcomes: unknown[], prepareModelMessage?: (tools: ToolSet) => string) {
  const options = { description: 'Run several.', inputSchema: listed };
  const unbound = tool({ ...options, execute: () => 'not bound' });
  return experimental_toolCaller(unbound, {
    type: 'local',
    ...(prepareModelMessage ? { prepareModelMessage } : {}),
    bind: (tools) =>
      tool({
        ...options,
        execute: async ({ calls }, rest) => {
          const texts: string[] = [];
          for (const { name, input } of calls) {
            try {
              const output = await tools[name]?.execute?.(input as never, rest);
              outcomes.push(output);
              texts.push(JSON.stringify(output));
            } catch (error) {
              outcomes.push(error);
              texts.push(String(error));
            }
          }
          return texts.join('; ');
        },
      }),
  }) as unknown as ToolSet[string];
}

interface Played {
  readonly strategy: 'dispatch' | 'bridge' | 'eager';
  readonly mode: 'generate' | 'stream';
  readonly inner: readonly Inner[];
  readonly hooks?: ToolHooks;
  readonly with?: WithOptions;
  readonly isDispatched?: boolean;
  readonly prepareModelMessage?: (tools: ToolSet) => string;
  readonly callers?: Readonly<Record<string, readonly string[]>>;
  readonly extra?: readonly Reply[];
}

async function play(played: Played) {
  const { strategy, mode, inner, hooks, extra = [] } = played;
  const outcomes: unknown[] = [];
  const runs: unknown[] = [];
  const events: CallEvent[] = [];
  const run = (name: string) => (input: unknown) => {
    runs.push([name, input]);
    return { did: name };
  };
  await using server = await startModelServer({
    script: [
      { calls: [{ name: 'batch', arguments: { calls: inner } }] },
      ...extra,
      { text: 'Done.' },
    ],
  });
  const fold = createFold({
    strategy,
    tools: {
      plain: tool({ inputSchema: titled, execute: run('plain') }),
      guarded: tool({ inputSchema: titled, needsApproval: true, execute: run('guarded') }),
      batch: batch(outcomes, played.prepareModelMessage),
    } as ToolSet,
    groups: [
      {
        groupId: 'kit',
        toolNames: ['make', 'asks'],
        loader: async () => ({
          make: tool({ inputSchema: titled, execute: run('kit__make') }),
          asks: tool({ inputSchema: titled, needsApproval: true, execute: run('kit__asks') }),
        }),
      },
    ],
    onCall: (event) => void events.push(event),
  });
  const fields = fold.with(modelOn(server, endpoint), {
    ...(hooks ? { hooks } : {}),
    ...played.with,
  });
  const both = ['batch', 'AI_SDK_DIRECT_TOOL_CALL'];
  const experimental_toolCallers = played.callers ?? {
    plain: both,
    guarded: both,
    kit__make: both,
    kit__asks: both,
  };
  const runner = mode === 'generate' ? generateText : streamText;
  const result = await runner({
    ...fields,
    prompt: 'Go.',
    stopWhen,
    experimental_toolCallers,
  } as never);
  const steps = await result.steps;
  const parts = steps.flatMap((step) => step.content);
  return { outcomes, runs, events, parts, requests: server.requests, tools: fields.tools };
}

const WAYS = (['dispatch', 'bridge', 'eager'] as const).flatMap((strategy) =>
  (['generate', 'stream'] as const).map((mode) => ({ strategy, mode })),
);

const title = { title: 'a' };
const INNER: readonly Inner[] = [
  { name: 'plain', input: title },
  { name: 'kit__make', input: title },
];

function codesOf(outcomes: readonly unknown[]): unknown[] {
  return outcomes.map((outcome) =>
    outcome instanceof ToolfoldError ? outcome.code : `no error: ${JSON.stringify(outcome)}`,
  );
}

for (const way of WAYS) {
  describe(`a caller of the fold's own tools, ${way.strategy}, ${way.mode}`, () => {
    test('can still call tools, and its calls run', async () => {
      const { outcomes, runs, tools, events, requests } = await play({ ...way, inner: INNER });
      assert.equal(experimental_getToolCaller(tools.batch)?.type, 'local');
      assert.deepEqual(runs, [
        ['plain', title],
        ['kit__make', title],
      ]);
      assert.deepEqual(outcomes, [{ did: 'plain' }, { did: 'kit__make' }]);
      assert.deepEqual(events.map(({ name, outcome }) => `${name} ${outcome}`).sort(), [
        'batch run',
        'kit__make run',
        'plain run',
      ]);
      const report = auditPrefix(requests);
      assert.ok(report.held, formatAuditReport(report));
    });

    test('hooks see the caller and each of its calls, and can deny them', async () => {
      const seen: HookedCall[] = [];
      const hooks: ToolHooks = {
        beforeToolCall: (call) => {
          seen.push(call);
          return call.name === 'batch' ? undefined : { deny: 'Not now.' };
        },
      };
      const { outcomes, runs, parts } = await play({ ...way, inner: INNER, hooks });
      assert.deepEqual(runs, []);
      assert.deepEqual(
        seen.map(({ name }) => name),
        ['batch', 'plain', 'kit__make'],
      );
      assert.deepEqual(codesOf(outcomes), ['call-denied', 'call-denied']);
      const [result] = parts.filter((part) => part.type === 'tool-result');
      assert.match(String(result?.output), /Not now\. The tool was not run/);
    });

    test('if a hook requires approval, an inner call is refused: the user cannot be asked', async () => {
      const hooks: ToolHooks = { beforeToolCall: ({ name }) => ({ ask: name !== 'batch' }) };
      const { outcomes, runs } = await play({ ...way, inner: INNER, hooks });
      assert.deepEqual(runs, []);
      assert.deepEqual(codesOf(outcomes), ['approval-needed', 'approval-needed']);
    });

    test('the approval setting of the fold applies to inner calls', async () => {
      const setting = { plain: 'denied', kit__make: 'user-approval' } as const;
      const given = { with: { toolApproval: setting } };
      if (way.strategy === 'eager') return;
      const { outcomes, runs } = await play({ ...way, inner: INNER, ...given });
      assert.deepEqual(runs, []);
      assert.deepEqual(codesOf(outcomes), ['call-denied', 'approval-needed']);
    });

    test('hooks change the arguments and the results of inner calls', async () => {
      const hooks: ToolHooks = {
        beforeToolCall: ({ name, arguments: given }) =>
          name === 'batch' ? undefined : { arguments: { title: `${given.title}!` } },
        afterToolCall: ({ name }, outcome) =>
          name === 'batch' ? outcome : { output: `${name}, seen` },
      };
      const { outcomes, runs } = await play({ ...way, inner: INNER, hooks });
      assert.deepEqual(runs, [
        ['plain', { title: 'a!' }],
        ['kit__make', { title: 'a!' }],
      ]);
      assert.deepEqual(outcomes, ['plain, seen', 'kit__make, seen']);
    });

    test('the same call twice is decided twice', async () => {
      let asked = 0;
      const hooks: ToolHooks = {
        beforeToolCall: ({ name }) => {
          if (name === 'batch') return;
          asked++;
          return asked % 2 === 0 ? { deny: 'Once is enough.' } : undefined;
        },
      };
      for (const name of ['plain', 'kit__make']) {
        asked = 0;
        const call = { name, input: title };
        const { outcomes, runs } = await play({ ...way, inner: [call, call], hooks });
        assert.equal(runs.length, 1, name);
        assert.deepEqual(codesOf(outcomes.slice(1)), ['call-denied'], name);
      }
    });

    test('a wrong input of an inner call of a group is refused with its schema', async () => {
      const inner = [{ name: 'kit__make', input: { title: 5 } }];
      const { outcomes, runs, parts } = await play({ ...way, inner });
      assert.deepEqual(runs, []);
      assert.deepEqual(codesOf(outcomes), ['invalid-call']);
      const [result] = parts.filter((part) => part.type === 'tool-result');
      assert.match(String(result?.output), /invalid_arguments.*\/title/s);
    });

    test('the model can also call the same tools itself', async () => {
      const call = way.strategy === 'eager' ? undefined : DISPATCH.call('kit__make', title);
      if (way.strategy === 'bridge') return;
      const direct = call ?? { name: 'kit__make', arguments: title };
      const extra = [{ calls: [{ name: 'plain', arguments: title }, direct] }];
      const { runs, requests } = await play({ ...way, inner: INNER, extra });
      assert.equal(runs.length, 4);
      const texts = resultsOn(requests.at(-1) ?? assert.fail()).map(({ text }) => text);
      assert.deepEqual(texts.slice(-2), ['{"did":"plain"}', '{"did":"kit__make"}']);
    });

    test('the model gets a message with the tools that the caller can call', async () => {
      const prepareModelMessage = (tools: ToolSet) => `Batch: ${Object.keys(tools).join(', ')}.`;
      const { outcomes, requests } = await play({ ...way, inner: INNER, prepareModelMessage });
      assert.deepEqual(outcomes, [{ did: 'plain' }, { did: 'kit__make' }]);
      assert.match(requests[0]?.raw ?? '', /Batch: plain, guarded, kit__make, kit__asks\./);
    });

    test('a group tool that only the caller may call is refused if the model calls it', async () => {
      if (way.strategy !== 'dispatch') return;
      const callers = { plain: ['batch'], kit__make: ['batch'] };
      const extra = [{ calls: [DISPATCH.call('kit__make', title)] }];
      const { runs, requests } = await play({ ...way, inner: INNER, callers, extra });
      assert.equal(runs.length, 2);
      const texts = resultsOn(requests.at(-1) ?? assert.fail()).map(({ text }) => text);
      assert.match(texts.at(-1) ?? '', /tool_not_active/);
      const report = auditPrefix(requests);
      assert.ok(report.held, formatAuditReport(report));
    });
  });
}

test('the needsApproval of a tool applies if a caller of the fold calls it', async () => {
  const inner = [
    { name: 'guarded', input: title },
    { name: 'kit__asks', input: title },
  ];
  for (const way of WAYS.filter(({ strategy }) => strategy !== 'eager')) {
    const { outcomes, runs } = await play({ ...way, inner });
    assert.deepEqual(runs, [], `${way.strategy}, ${way.mode}`);
    assert.deepEqual(codesOf(outcomes), ['approval-needed', 'approval-needed']);
  }
});

for (const asks of ['a hook', 'the tool itself', 'the setting'] as const) {
  test(`a caller that ${asks} requires approval for: after approval it runs, here and in another process`, async () => {
    for (const mode of ['generate', 'stream'] as const) {
      for (const route of ['live', 'json', 'ui'] as const) {
        const runs: unknown[] = [];
        const options = { inputSchema: titled, needsApproval: asks === 'the tool itself' };
        const execute = (input: unknown) => {
          runs.push(input);
          return 'ran';
        };
        const both = () =>
          experimental_toolCaller(tool({ ...options, execute }), {
            type: 'local',
            bind: (tools) =>
              tool({
                ...options,
                execute: (input, rest) => tools.kit__make?.execute?.(input as never, rest),
              }),
          }) as unknown as ToolSet[string];
        const make = () =>
          createFold({
            strategy: 'dispatch',
            tools: { both: both() } as ToolSet,
            groups: [
              {
                groupId: 'kit',
                toolNames: ['make'],
                loader: async () => ({ make: tool({ inputSchema: titled, execute }) }),
              },
            ],
          }) as Fold<ToolSet>;
        await using server = await startModelServer({
          script: [
            { calls: [{ name: 'both', arguments: title }] },
            { text: 'Done.' },
            { text: 'Bye.' },
          ],
        });
        const talk = new Talk({
          mode,
          route,
          handing: 'spread',
          model: modelOn(server, endpoint),
          fold: make,
          with: {
            ...(asks === 'a hook'
              ? { hooks: { beforeToolCall: ({ name }) => ({ ask: name === 'both' }) } }
              : {}),
            ...(asks === 'the setting' ? { toolApproval: { both: 'user-approval' } } : {}),
          },
          settings: { experimental_toolCallers: { kit__make: ['both'] } },
        });
        await talk.say('Go.');
        await talk.answer({ approved: true });
        await talk.say('And?');
        const where = `${mode}, ${route}`;
        const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
        // After a resume, the SDK runs a caller without its tools.
        assert.deepEqual(texts, ['ran'], where);
        assert.deepEqual(runs, [title], where);
        const report = auditPrefix(server.requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      }
    }
  });
}

describe("a provider's own caller among the fold's tools", () => {
  const code = () => anthropic.tools.codeExecution_20250825() as unknown as ToolSet[string];
  const make = (strategy: 'dispatch' | 'eager', runs: unknown[]) =>
    createFold({
      strategy,
      tools: {
        plain: tool({
          deferLoading: false,
          inputSchema: titled,
          execute: (input) => {
            runs.push(input);
            return 'ran';
          },
        }),
        code_execution: code(),
      } as ToolSet,
      groups: [
        {
          groupId: 'kit',
          toolNames: ['make'],
          loader: async () => ({
            make: tool({
              inputSchema: titled,
              execute: (input) => {
                runs.push(input);
                return 'made';
              },
            }),
          }),
        },
      ],
    });
  const callersOf = (body: Readonly<Record<string, unknown>>) =>
    (body.tools as { name: string; allowed_callers?: string[] }[]).map((one) => [
      one.name,
      one.allowed_callers,
    ]);

  for (const strategy of ['dispatch', 'eager'] as const) {
    test(`promise 9: stays a caller, and its tools name it on the wire, ${strategy}`, async () => {
      for (const run of [generateText, streamText]) {
        const runs: unknown[] = [];
        await using server = await startModelServer({
          script: [{ calls: [{ name: 'plain', arguments: title }] }, { text: 'Done.' }],
        });
        const fields = make(strategy, runs).with(modelOn(server, endpoint));
        assert.equal(experimental_getToolCaller(fields.tools.code_execution)?.type, 'provider');
        const result = await run({
          ...fields,
          prompt: 'Go.',
          stopWhen,
          experimental_toolCallers: { plain: ['code_execution', 'AI_SDK_DIRECT_TOOL_CALL'] },
        } as never);
        assert.equal(await result.text, 'Done.');
        assert.deepEqual(runs, [title]);
        for (const { body } of server.requests) {
          const [plain, execution] = callersOf(body);
          assert.deepEqual(plain, ['plain', ['code_execution_20250825']]);
          assert.equal(execution?.[0], 'code_execution');
        }
        const report = auditPrefix(server.requests);
        assert.ok(report.held, formatAuditReport(report));
      }
    });
  }

  test('its group tools name it in their declarations', async () => {
    const runs: unknown[] = [];
    await using server = await startModelServer({
      script: [{ calls: [{ name: 'kit__make', arguments: title }] }, { text: 'Done.' }],
    });
    const fields = make('eager', runs).with(modelOn(server, endpoint));
    await generateText({
      ...fields,
      prompt: 'Go.',
      stopWhen,
      experimental_toolCallers: { kit__make: ['code_execution'] },
    } as never);
    assert.deepEqual(runs, [title]);
    const [request] = server.requests;
    assert.ok(request);
    const made = callersOf(request.body).find(([name]) => name === 'kit__make');
    assert.deepEqual(made, ['kit__make', ['code_execution_20250825']]);
  });

  test('hooks decide about the calls that the app runs for it', async () => {
    const runs: unknown[] = [];
    await using server = await startModelServer({
      script: [{ calls: [{ name: 'plain', arguments: title }] }, { text: 'Done.' }],
    });
    const fields = make('dispatch', runs).with(modelOn(server, endpoint), {
      hooks: { beforeToolCall: () => ({ deny: 'Not now.' }) },
    });
    await generateText({
      ...fields,
      prompt: 'Go.',
      stopWhen,
      experimental_toolCallers: { plain: ['code_execution'] },
    } as never);
    assert.deepEqual(runs, []);
    assert.match(resultsOn(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '', /Not now/);
    assert.ok(toolsOn(server.requests[0] ?? assert.fail()).includes('code_execution'));
  });
});
