import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convertToModelMessages, isStepCount, type ToolSet, tool, type UIMessage } from 'ai';
import { z } from 'zod';
import type { HookedCall, WithOptions } from '../../src/index.ts';
import {
  act,
  approved,
  bare,
  callOf,
  denyBad,
  fieldsOf,
  GO,
  go,
  KINDS,
  logging,
  MODES,
  nameOf,
  type Part,
  type Prompt,
  resultsIn,
  type Settings,
  say,
  scripted,
} from './attacks.test-support.ts';

/** Ways to bypass a policy. Every test failed when it was written. */

describe('read more than once', () => {
  const hooks = { beforeToolCall: denyBad };
  const cases: Readonly<Record<string, Part>> = {
    'a denied call': callOf('act', { text: 'bad' }),
    'an unknown name': callOf('nothing', { text: 'a' }),
    'a tool beside the fold': callOf('beside', { text: 'a' }),
  };
  for (const [name, call] of Object.entries(cases)) {
    test(`the raw input of ${name} on its way in`, async () => {
      const fields = fieldsOf('own', logging([]), scripted([[call]]), { view: { hooks } });
      const tools = { ...fields.tools, beside: tool(logging([]) as never) };
      const { parse } = JSON;
      let times = 0;
      JSON.parse = (text, reviver) => {
        const [, , caller = ''] = (new Error().stack ?? '').split('\n');
        if (text === call.input && /packages\/(ai-sdk|core)\/src\//.test(caller)) times++;
        return parse(text, reviver);
      };
      try {
        const isBeside = call.toolName === 'beside';
        await go({ ...fields, ...(isBeside ? { tools } : {}), stopWhen: isStepCount(1) });
      } finally {
        JSON.parse = parse;
      }
      assert.equal(times, 1);
    });
  }

  test('a hook, for one input that is bytes', async () => {
    const seen: unknown[] = [];
    const target = {
      inputSchema: z.object({ text: z.string().transform(() => new ArrayBuffer(2)) }),
      execute: () => 'ran',
    };
    const beforeToolCall = ({ arguments: given }: HookedCall) => void seen.push(given);
    const model = scripted([[act('own', { text: 'a' })]]);
    await go(fieldsOf('own', target, model, { view: { hooks: { beforeToolCall } } }));
    assert.equal(seen.length, 1);
  });
});

describe('refused, or lost', () => {
  const remote = { toolCallId: 'remote_1', providerExecuted: true, dynamic: true };
  const value = { type: 'call', content: [{ type: 'text', text: 'hi' }], more: { rows: 2 } };
  const remoteParts: Part[] = [
    callOf('remote', { a: 1 }, remote),
    { type: 'tool-result', toolName: 'remote', result: value, ...remote },
  ];

  test('the result of a dynamic tool that the provider ran reaches the next step whole', async () => {
    const prompts: Prompt[] = [];
    const model = scripted([[...remoteParts, act('own', { text: 'a' })]], prompts);
    await go(fieldsOf('own', logging([]), model));
    const result = resultsIn(prompts.at(-1)).find(({ toolCallId }) => toolCallId === 'remote_1');
    assert.deepEqual(result?.output, { type: 'json', value });
  });

  for (const isProviders of [true, false]) {
    test(`convertToModelMessages: a dynamic tool that is none of the fold's, ${isProviders ? 'run by the provider' : 'of another client'}`, async () => {
      const { tools } = fieldsOf('own', logging([]), scripted([]));
      const part = {
        type: 'dynamic-tool',
        toolName: 'remote',
        toolCallId: 'remote_1',
        state: 'output-available',
        input: {},
        output: value,
        ...(isProviders ? { providerExecuted: true } : {}),
      };
      const ui = [{ id: 'a', role: 'assistant', parts: [part] }] as unknown as UIMessage[];
      const plain = await convertToModelMessages(ui, {
        tools: { act: tool(logging([]) as never) },
      });
      assert.deepEqual(await convertToModelMessages(ui, { tools }), plain);
    });
  }

  for (const mode of MODES) {
    test(`the app is not asked about a dynamic tool that the provider ran, as without the fold: ${mode}`, async () => {
      const asked: string[] = [];
      const toolApproval = ({ toolCall }: { toolCall: { toolName: string } }) => {
        asked.push(toolCall.toolName);
        return 'user-approval' as const;
      };
      const model = scripted([[...remoteParts, { type: 'text', text: 'Done.' }]]);
      const fields = fieldsOf('own', logging([]), model, { view: { toolApproval } });
      const { content } = await say(mode, GO, { ...fields });
      assert.deepEqual(asked, []);
      assert.ok(content.every(({ type }) => type !== 'tool-approval-request'));
    });
  }

  for (const kind of KINDS) {
    test(`a hook's question about a tool that the app put in the place of the fold's: it is asked, ${kind}`, async () => {
      const runs: unknown[] = [];
      const name = nameOf(kind);
      const call = callOf(name, { text: 'a' });
      const hooks = { beforeToolCall: () => ({ ask: true }) };
      const fields = fieldsOf(kind, logging([]), scripted([[call], [call], [call]]), {
        view: { hooks },
      });
      const tools = { ...fields.tools, [name]: tool(logging(runs) as never) };
      const said = await go({ ...fields, tools });
      assert.ok(approved(said), 'told three times that the user will be asked, who never is');
    });
  }

  const unwritable: Readonly<Record<string, (text: string) => unknown>> = {
    'a big integer': (text) => BigInt(text.length),
    'a circular value': (text) => {
      const made: Record<string, unknown> = { text };
      made.self = made;
      return made;
    },
  };
  for (const [name, make] of Object.entries(unwritable)) {
    for (const mode of MODES) {
      test(`a group's tool whose schema makes ${name}: ${mode}`, async () => {
        let runs = 0;
        const target = {
          inputSchema: z.object({ text: z.string().transform(make) }),
          execute: () => `run ${++runs}`,
        };
        const model = scripted([[act('deferred', { text: 'a' })]]);
        await say(mode, GO, fieldsOf('deferred', target, model));
        assert.equal(runs, 1);
      });
    }
  }

  test('promise 40: a hook that does not settle ends with the abort signal', async () => {
    const hooks = { beforeToolCall: () => new Promise<undefined>(() => {}) };
    const model = scripted([[act('own', { text: 'a' })]]);
    const fields = fieldsOf('own', logging([]), model, { view: { hooks } });
    const ended = go({ ...fields, abortSignal: AbortSignal.timeout(50) }).then(
      () => 'ended',
      () => 'ended',
    );
    const { promise: late, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(() => resolve('hangs'), 1_000);
    assert.equal(await Promise.race([ended, late]), 'ended');
    clearTimeout(timer);
  });

  test('a set that is frozen takes up what a group turns out to have', async () => {
    const extra = tool(logging([]) as never) as ToolSet[string];
    const loader = async () => ({ act: extra, extra });
    const model = scripted([
      [callOf('load_tools', { group_id: 'g' })],
      [callOf('deferred_tool_call', { tool_name: 'g__extra', arguments: { text: 'a' } })],
    ]);
    const groups = [{ groupId: 'g', toolNames: ['act'], loader }];
    const fields = fieldsOf('deferred', {}, model, { fold: { groups } });
    Object.freeze(fields.tools);
    await assert.doesNotReject(go({ ...fields }));
  });
});

describe('one event for every call', () => {
  const onCallInto = (events: string[]) => (event: { id: string; outcome: string }) =>
    void events.push(`${event.id} ${event.outcome}`);

  for (const mode of MODES) {
    const denials: Readonly<Record<string, { view: WithOptions; settings?: Settings }>> = {
      "the app's setting denies": { view: { toolApproval: { act: 'denied' } } },
      'a hook denies what was refined': {
        view: { hooks: { beforeToolCall: denyBad } },
        settings: { experimental_refineToolInput: { act: () => ({ text: 'bad' }) } },
      },
    };
    for (const [name, { view, settings = {} }] of Object.entries(denials)) {
      test(`${name} the last call of a conversation: ${mode}`, async () => {
        const events: string[] = [];
        const model = scripted([[act('own', { text: 'a' })]]);
        const fold = { onCall: onCallInto(events) };
        const fields = fieldsOf('own', logging([]), model, { fold, view });
        await say(mode, GO, { ...fields, ...settings, stopWhen: isStepCount(1) });
        assert.deepEqual(events, ['id_1 refused']);
      });
    }

    for (const kind of KINDS) {
      test(`a denied call whose metadata a middleware drops: ${mode}, ${kind}`, async () => {
        const events: string[] = [];
        const model = scripted([[act(kind, { text: 'bad' })]]);
        const view = { hooks: { beforeToolCall: denyBad } };
        const fold = { onCall: onCallInto(events) };
        const fields = fieldsOf(kind, logging([]), model, { fold, view });
        await say(mode, GO, { ...fields, model: bare(fields.model) });
        assert.deepEqual(events, ['id_1 refused']);
      });
    }
  }

  for (const name of ['then', 'toJSON']) {
    test(`promise 9: an unknown name does not list all tools to the app: ${name}`, async () => {
      const fields = fieldsOf('deferred', logging([]), scripted([[callOf(name, {})]]));
      const repairs: string[] = [];
      const experimental_repairToolCall = async ({ error }: { error: Error }) => {
        repairs.push(error.message);
        return null;
      };
      const said = await go({ ...fields, experimental_repairToolCall });
      assert.doesNotMatch(JSON.stringify([said.messages, repairs]), /Available tools/);
    });
  }
});
