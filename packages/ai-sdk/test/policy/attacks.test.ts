import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { begin, collect } from '@toolfold/agent/test/agent.test-support.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type HookedCall, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS } from '../endpoints.test-support.ts';
import {
  act,
  approved,
  callOf,
  denyBad,
  denying,
  fieldsOf,
  go,
  KINDS,
  logging,
  nameOf,
  type Settings,
  say,
  scripted,
  TEXT,
} from './attacks.test-support.ts';

/** Ways to bypass a policy. Every test failed when it was written. */

describe('attacks: runs what a hook denies', () => {
  for (const strategy of ['dispatch', 'eager'] as const) {
    for (const name of ['tool_search', 'load_tools', 'request_tool', 'tool_describe']) {
      test(`a tool beside the fold that is named ${name}, ${strategy}: hooks`, async () => {
        const runs: unknown[] = [];
        const hooks = { beforeToolCall: () => ({ deny: 'Not this.' }) };
        const model = scripted([[callOf(name, { text: 'a' })]]);
        const fields = fieldsOf('deferred', logging([]), model, {
          fold: { strategy },
          view: { hooks },
        });
        const beside = { [name]: tool(logging(runs) as never) };
        await go({ ...fields, tools: { ...fields.tools, ...beside } });
        assert.deepEqual(runs, []);
      });

      test(`a tool beside the fold that is named ${name}, ${strategy}: its needsApproval`, async () => {
        const runs: unknown[] = [];
        const model = scripted([[callOf(name, { text: 'a' })]]);
        const fields = fieldsOf('deferred', logging([]), model, {
          fold: { strategy },
          view: { notice: () => undefined },
        });
        const beside = { [name]: tool(logging(runs, { needsApproval: true }) as never) };
        const said = await go({ ...fields, tools: { ...fields.tools, ...beside } });
        assert.deepEqual(runs, []);
        assert.ok(approved(said), 'the user was not asked');
      });
    }
  }

  for (const kind of KINDS) {
    test(`what the schema makes of the arguments a hook gave is seen by no hook, ${kind}`, async () => {
      const runs: unknown[] = [];
      const trimmed = z.object({ text: z.string().transform((text) => text.trim()) });
      const hooks = {
        beforeToolCall: ({ arguments: given }: HookedCall) =>
          given.text === 'bad' ? { deny: 'Not this.' } : { arguments: { text: ' bad' } },
      };
      const model = scripted([[act(kind, { text: 'a' })]]);
      await go(fieldsOf(kind, logging(runs, { inputSchema: trimmed }), model, { view: { hooks } }));
      assert.deepEqual(runs, []);
    });
  }

  class Private {
    readonly #text: string;
    constructor(text: string) {
      this.#text = text;
    }
    toString() {
      return this.#text;
    }
  }
  const values: Readonly<Record<string, (text: string) => unknown>> = {
    URLSearchParams: (text) => new URLSearchParams({ text }),
    File: (text) => ({ file: new File([], text), toString: undefined }),
    'a private field': (text) => new Private(text),
    'a toJSON that tells nothing': (text) => ({ toString: () => text, toJSON: () => '***' }),
  };
  const read = (value: unknown): string => {
    const file = (value as { file?: File } | undefined)?.file;
    return file ? file.name : String(value).replace('text=', '');
  };
  for (const [name, make] of Object.entries(values)) {
    test(`two inputs that are other ones have the same text: ${name}`, async () => {
      const runs: string[] = [];
      const target = {
        inputSchema: z.object({ value: z.string().transform(make) }),
        execute: ({ value }: { value: unknown }) => void runs.push(read(value)),
      };
      const hooks = { beforeToolCall: denying(({ value }) => read(value) === 'bad') };
      const fields = fieldsOf('own', target, scripted([[act('own', { value: 'good' })]]), {
        view: { hooks },
      });
      const refine = { act: () => ({ value: make('bad') }) };
      await go({ ...fields, experimental_refineToolInput: refine });
      assert.deepEqual(runs, []);
    });
  }

  test('a circular input that was changed after it was judged', async () => {
    const runs: unknown[] = [];
    const circular = TEXT.transform((value) => {
      const made: Record<string, unknown> = { ...value };
      made.self = made;
      return made;
    });
    const target = {
      inputSchema: circular,
      execute: ({ text }: { text: unknown }) => void runs.push(text),
    };
    const fields = fieldsOf('own', target, scripted([[act('own', { text: 'a' })]]), {
      view: { hooks: { beforeToolCall: denyBad } },
    });
    const onToolExecutionStart = ({ toolCall }: { toolCall: { input: object } }) => {
      Object.assign(toolCall.input, { text: 'bad' });
    };
    await go({ ...fields, onToolExecutionStart });
    assert.deepEqual(runs, []);
  });

  test('an observer changes what a deferred tool is about to run with', async () => {
    const runs: unknown[] = [];
    const observers = {
      started: ({ input }: { input: unknown }) =>
        void Object.assign(input as object, { text: 'bad' }),
    };
    const model = scripted([[act('deferred', { text: 'a' })]]);
    const view = { hooks: { beforeToolCall: denyBad }, observers };
    await go(fieldsOf('deferred', logging(runs), model, { view }));
    assert.ok(!JSON.stringify(runs).includes('bad'), JSON.stringify(runs));
  });

  test('a hook that writes into what it is shown changes what a deferred tool gets, past schema and hooks', async () => {
    const runs: unknown[] = [];
    const beforeToolCall = [
      denyBad,
      // The hook changes its argument for its own log.
      ({ arguments: given }: HookedCall) => void Object.assign(given, { text: 'bad', more: 5 }),
    ];
    const model = scripted([[act('deferred', { text: 'a' })]]);
    await go(fieldsOf('deferred', logging(runs), model, { view: { hooks: { beforeToolCall } } }));
    assert.ok(!JSON.stringify(runs).includes('bad'), JSON.stringify(runs));
  });

  for (const form of ['function', 'record'] as const) {
    test(`the app's setting is asked without its context where a group loads late, as a ${form}`, async () => {
      const runs: unknown[] = [];
      const inputSchema = z.object({ text: z.string(), to: z.string().default('all') });
      type Context = { readonly isGuest?: boolean } | undefined;
      const decide = (input: unknown, context: Context) =>
        context?.isGuest && (input as { to?: string }).to === 'all' ? 'denied' : 'approved';
      const toolApproval =
        form === 'record'
          ? {
              g__act: (input: never, { runtimeContext }: { runtimeContext: Context }) =>
                decide(input, runtimeContext),
            }
          : (asked: { toolCall: { input: unknown }; runtimeContext: Context }) =>
              decide(asked.toolCall.input, asked.runtimeContext);
      const note = tool(logging([]) as never) as ToolSet[string];
      const earlier = callOf('note', { text: 'a' }, { toolCallId: 'id_0' });
      const model = scripted([[earlier, act('deferred', { text: 'a' })]]);
      const fields = fieldsOf('deferred', logging(runs, { inputSchema }), model, {
        fold: { tools: { note } },
        view: { toolApproval: toolApproval as never },
      });
      await go({ ...fields, runtimeContext: { isGuest: true } });
      assert.deepEqual(runs, []);
    });
  }

  const clientWays: Readonly<
    Record<string, { written: string; settings: Settings; view: WithOptions }>
  > = {
    'left alone by activeTools': {
      written: 'bad',
      settings: { activeTools: ['client'] },
      view: { hooks: { beforeToolCall: denyBad } },
    },
    refined: {
      written: 'a',
      settings: { experimental_refineToolInput: { client: () => ({ text: 'bad' }) } },
      view: { hooks: { beforeToolCall: denyBad } },
    },
    "denied by the app's setting": {
      written: 'bad',
      settings: {},
      view: { toolApproval: { client: 'denied' } },
    },
  };
  for (const [name, { written, settings, view }] of Object.entries(clientWays)) {
    test(`a denied call of a tool without execute stays open for the browser to run, without the third field: ${name}`, async () => {
      const client = tool({ inputSchema: TEXT }) as ToolSet[string];
      const model = scripted([[callOf('client', { text: written })]]);
      const { model: folded, tools } = fieldsOf('own', {}, model, {
        fold: { tools: { client } },
        view,
      });
      const all = { model: folded, tools, ...settings, stopWhen: isStepCount(1) };
      const { content } = await go(all);
      const isOpen =
        content.some((part) => part.type === 'tool-call' && !('invalid' in part)) &&
        content.every(({ type }) => !/^tool-(error|result|approval)/.test(type));
      assert.ok(!isOpen);
    });
  }

  for (const input of ['["a"]', '"a"', '5']) {
    test(`promise 11: ${input} runs as a call without arguments, where a loader was down`, async () => {
      const runs: unknown[] = [];
      const schema = z.object({ text: z.string().default('everything') });
      const loaded = tool(logging(runs, { inputSchema: schema }) as never) as ToolSet[string];
      let isDown = true;
      const loader = async () => {
        if (isDown) {
          isDown = false;
          throw new Error('down');
        }
        return { act: loaded };
      };
      const groups = [{ groupId: 'g', toolNames: ['act'], loader }];
      const model = scripted([[callOf('g__act', input)]]);
      await go(fieldsOf('deferred', {}, model, { fold: { strategy: 'eager', groups } }));
      assert.deepEqual(runs, []);
    });
  }
});

describe('attacks: needsApproval is skipped', () => {
  for (const kind of KINDS.slice(1)) {
    // Of an own tool it holds.
    test(`a tool with a contextSchema is asked with the context that it makes, ${kind}`, async () => {
      const runs: unknown[] = [];
      const changes = {
        contextSchema: z.object({ who: z.string().default('guest') }),
        needsApproval: (_: unknown, { context }: { context: { who?: string } }) =>
          context.who === 'guest',
      };
      const model = scripted([[act(kind, { text: 'a' })]]);
      const fields = fieldsOf(kind, logging(runs, changes), model);
      const said = await go({ ...fields, toolsContext: { [nameOf(kind)]: {} } });
      assert.deepEqual(runs, []);
      assert.ok(approved(said), 'the user was not asked');
    });
  }
});

describe('attacks: stamps, and memory of others, make it looser', () => {
  /** A fold whose group has another version when it is told so. */
  function versioned(runs: unknown[]) {
    const version = (name: string) => ({
      groupId: 'g',
      fingerprint: name,
      toolNames: ['act'],
      loader: async () => ({
        act: tool({
          description: name,
          inputSchema: TEXT,
          needsApproval: true,
          execute: () => void runs.push(name),
        }),
      }),
    });
    const fold = createFold({ strategy: 'dispatch', groups: [version('v1')] });
    return { fold, next: () => fold.update([version('v2')]) };
  }
  const asking = [act('deferred', { text: 'a' }, { toolCallId: 'call_0' })];

  test('a yes to one definition runs another one that only somebody else was asked about', async () => {
    const runs: unknown[] = [];
    const { fold, next } = versioned(runs);
    const fields = fold.with(scripted([asking, asking]));
    const mine = approved(await go({ ...fields })) ?? assert.fail();
    next();
    approved(await go({ ...fields })) ?? assert.fail();
    await say('generateText', mine, { ...fields });
    assert.deepEqual(runs, []);
  });

  test('an edited stamp goes over what this very process knows it asked about', async () => {
    const runs: unknown[] = [];
    const { fold, next } = versioned(runs);
    const { fold: other, next: nextOther } = versioned([]);
    nextOther();
    const theirs = approved(await go({ ...other.with(scripted([asking])) })) ?? assert.fail();
    const stamps = (messages: ModelMessage[]) =>
      messages.flatMap(({ role, content }) =>
        role === 'assistant' && typeof content !== 'string'
          ? content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
          : [],
      );
    const fields = fold.with(scripted([asking]));
    const asked = approved(await go({ ...fields })) ?? assert.fail();
    next();
    const [forged] = stamps(theirs);
    for (const part of stamps(asked))
      part.providerOptions = structuredClone(forged?.providerOptions);
    await say('generateText', asked, { ...fields });
    assert.deepEqual(runs, []);
  });

  test('agent: rounds are not counted where an endpoint numbers its calls anew', async () => {
    const [, , , endpoint] = ENDPOINTS;
    const busy = {
      calls: [
        {
          id: 'call_0',
          name: 'deferred_tool_call',
          arguments: { tool_name: 'github__list_issues', arguments: {} },
        },
      ],
    };
    await using server = await startModelServer({
      script: [busy, busy, busy, busy, { text: 'Done.' }],
    });
    const { talk, runs } = begin(server, { agent: { maxRounds: 2 }, endpoint: endpoint as never });
    await collect(talk.send('Go.'));
    assert.equal(runs.length, 2);
  });
});
