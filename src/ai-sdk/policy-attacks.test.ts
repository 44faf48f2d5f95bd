import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { z } from 'zod';
import { begin, collect } from '../agent/agent.test-support.ts';
import { startModelServer } from '../testing/index.ts';
import { ENDPOINTS } from './endpoints.test-support.ts';
import { createFold, type FoldOptions, type HookedCall, type WithOptions } from './index.ts';

/** Every test here says what is right, and failed when it was written. */

type Part = Record<string, unknown> & { readonly type: string };
type Prompt = LanguageModelV4CallOptions['prompt'];
type Kind = 'own' | 'deferred';
type Settings = object;

const KINDS: readonly Kind[] = ['own', 'deferred'];
const MODES = ['generateText', 'streamText'] as const;

function callOf(name: string, input: unknown, more: object = {}): Part {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { type: 'tool-call', toolCallId: 'id_1', toolName: name, input: text, ...more };
}

/** A call of the tool `act`, as the model makes it in `dispatch`. */
function act(kind: Kind, input: unknown, more: object = {}): Part {
  if (kind === 'own') return callOf('act', input, more);
  return callOf('deferred_tool_call', { tool_name: 'g__act', arguments: input }, more);
}

const nameOf = (kind: Kind): string => (kind === 'own' ? 'act' : 'g__act');

/** A model that answers with these parts, one list for each request, and then with a text. */
function scripted(steps: readonly (readonly Part[])[], prompts: Prompt[] = []): LanguageModel {
  let at = 0;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const answer = (prompt: Prompt) => {
    prompts.push(prompt);
    const content = steps[at++] ?? [{ type: 'text', text: 'Done.' }];
    const isOpen = content.some((part) => part.type === 'tool-call' && !part.providerExecuted);
    const finishReason = { unified: isOpen ? 'tool-calls' : 'stop', raw: undefined };
    return { content, finishReason, usage, warnings: [] };
  };
  return new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'mock',
    doGenerate: async ({ prompt }) => answer(prompt) as never,
    doStream: async ({ prompt }) => {
      const { content, finishReason } = answer(prompt);
      const parts = content.flatMap((part) => {
        if (part.type !== 'text') return part;
        const { text } = part;
        return [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
        ];
      });
      const chunks = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ];
      const stream = simulateReadableStream({
        chunks,
        initialDelayInMs: null,
        chunkDelayInMs: null,
      });
      return { stream } as never;
    },
  });
}

function resultsIn(prompt: Prompt | undefined): { toolCallId: string; output: unknown }[] {
  return (prompt ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((p) => (p.type === 'tool-result' ? p : [])),
  );
}

interface Said {
  readonly messages: ModelMessage[];
  readonly content: readonly { readonly type: string }[];
}

async function say(
  mode: (typeof MODES)[number],
  messages: ModelMessage[],
  settings: Settings,
): Promise<Said> {
  const all = { stopWhen: isStepCount(6), maxRetries: 0, ...settings, messages } as never;
  if (mode === 'generateText') {
    const { content, responseMessages } = await generateText(all);
    return { content, messages: [...messages, ...responseMessages] };
  }
  const errors: unknown[] = [];
  const stream = streamText({
    ...(all as object),
    onError: ({ error }: { error: unknown }) => void errors.push(error),
  } as never);
  await stream.consumeStream();
  if (errors.length > 0) throw errors[0];
  return {
    content: await stream.content,
    messages: [...messages, ...(await stream.responseMessages)],
  };
}

const GO: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
const go = (settings: Settings): Promise<Said> => say('generateText', GO, settings);

/** The messages with a yes to what they ask; undefined where they ask nothing. */
function approved({ messages, content }: Said): ModelMessage[] | undefined {
  const [question] = content.filter(
    (part): part is Part & { approvalId: string } =>
      part.type === 'tool-approval-request' && !('isAutomatic' in part),
  );
  if (!question) return;
  const { approvalId } = question;
  const said = { type: 'tool-approval-response' as const, approvalId, approved: true };
  return [...structuredClone(messages), { role: 'tool', content: [said] }];
}

interface World {
  readonly fold?: Partial<FoldOptions<ToolSet>>;
  readonly view?: WithOptions;
}

/** A fold with the tool `act`, its own or in the group `g`; the model answers with these parts. */
function fieldsOf(kind: Kind, made: object, model: LanguageModel, { fold, view }: World = {}) {
  const target = tool(made as never) as ToolSet[string];
  const group = { groupId: 'g', toolNames: ['act'], loader: async () => ({ act: target }) };
  const options = {
    strategy: 'dispatch',
    tools: kind === 'own' ? { act: target } : {},
    groups: kind === 'own' ? [] : [group],
    ...fold,
  } as FoldOptions<ToolSet>;
  return createFold(options).with(model, view);
}

const TEXT = z.object({ text: z.string() });
/** A tool that keeps what it ran with. */
const logging = (runs: unknown[], changes: object = {}) => ({
  inputSchema: TEXT,
  execute: (input: unknown) => {
    runs.push(structuredClone(input));
    return 'ran';
  },
  ...changes,
});
const denying =
  (is: (input: HookedCall['arguments']) => boolean) =>
  ({ arguments: given }: HookedCall) =>
    is(given) ? { deny: 'Not this.' } : undefined;
const denyBad = denying(({ text }) => text === 'bad');

describe('attack a: runs what a hook denies', () => {
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
      // Meant for its own log.
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

  for (const input of ['["a"]', '"a"', 'null', '5']) {
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

describe('attack b: needsApproval is skipped', () => {
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

describe('attack c and d: stamps, and memory of others, make it looser', () => {
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

describe('attack e: read more than once', () => {
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
        if (text === call.input && /src\/(ai-sdk|host|tools)\//.test(caller)) times++;
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

  test('the raw input of a call in the history, for each request', async () => {
    const call = callOf('act', { text: 'a' });
    const fields = fieldsOf('own', logging([]), scripted([[call]]), { view: { hooks } });
    const { messages } = await go({ ...fields });
    const { parse } = JSON;
    let times = 0;
    JSON.parse = (text, reviver) => {
      if (text === call.input) times++;
      return parse(text, reviver);
    };
    try {
      await say('generateText', messages, { ...fields });
    } finally {
      JSON.parse = parse;
    }
    assert.ok(times <= 1, `${times} times`);
  });
});

describe('attack f: refused, or lost', () => {
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

  test("an app's own function in one conversation does not take the questions from all others", async () => {
    const client = tool({ inputSchema: TEXT }) as ToolSet[string];
    const ran = tool(logging([]) as never) as ToolSet[string];
    const hooks = {
      beforeToolCall: ({ name }: HookedCall) => (name === 'client' ? { ask: true } : undefined),
    };
    const model = scripted([[callOf('act', { text: 'a' })], [callOf('client', { text: 'a' })]]);
    const fields = fieldsOf('own', {}, model, {
      fold: { tools: { act: ran, client } },
      view: { hooks },
    });
    const stopWhen = isStepCount(1);
    await go({ ...fields, toolApproval: () => undefined, stopWhen });
    assert.ok(approved(await go({ ...fields, stopWhen })), 'the user was not asked');
  });

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

  test('agent: a yes for the session holds, though the tool had not loaded when it was asked about', async () => {
    const late = {
      name: 'deferred_tool_call',
      arguments: { tool_name: 'github__list_issues', arguments: {} },
    };
    const earlier = { name: 'ask', arguments: { question: 'q' } };
    await using server = await startModelServer({
      script: [{ calls: [earlier, late] }, { text: 'Done.' }, { calls: [late] }, { text: 'Bye.' }],
    });
    const { talk, runs } = begin(server, {
      agent: { approvals: { mode: 'always', allow: ['ask'] } },
    });
    await collect(talk.send('Go.'));
    const yes = talk.pending.map(({ approvalId }) => [
      approvalId,
      { approved: true, scope: 'session' as const },
    ]);
    await collect(talk.answer(Object.fromEntries(yes)));
    await collect(talk.send('Again.'));
    assert.deepEqual(talk.pending, []);
    assert.equal(runs.length, 3);
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

  test('what the user approved runs, though a hook adds something of its own each time', async () => {
    const runs: unknown[] = [];
    let count = 0;
    const inputSchema = z.object({ text: z.string(), at: z.number().optional() });
    const hooks = {
      beforeToolCall: ({ arguments: given }: HookedCall) => ({
        arguments: { ...given, at: ++count },
      }),
    };
    const model = scripted(Array.from({ length: 9 }, () => [act('own', { text: 'a' })]));
    const target = logging(runs, { inputSchema, needsApproval: true });
    const fields = fieldsOf('own', target, model, { view: { hooks } });
    let messages: ModelMessage[] | undefined = GO;
    for (let asked = 0; asked < 3 && messages && runs.length === 0; asked++)
      messages = approved(await say('generateText', messages, { ...fields }));
    assert.equal(runs.length, 1);
  });

  test('an approval holds in another process where a default of the schema is made anew', async () => {
    const runs: unknown[] = [];
    const open = (model: LanguageModel) => {
      const id = z.string().default(() => crypto.randomUUID());
      const inputSchema = z.object({ text: z.string(), id });
      return fieldsOf('own', logging(runs, { inputSchema, needsApproval: true }), model);
    };
    const first = open(scripted([[act('own', { text: 'a', id: 'b' })]]));
    const messages = approved(await go({ ...first })) ?? assert.fail();
    await say('generateText', JSON.parse(JSON.stringify(messages)), { ...open(scripted([])) });
    assert.equal(runs.length, 1);
  });
});

describe('attack g: one event for every call', () => {
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

      test(`${name}, and the answer to it is generated twice: ${mode}`, async () => {
        const events: string[] = [];
        const model = scripted([[act('own', { text: 'a' })]]);
        const fold = { onCall: onCallInto(events) };
        const fields = fieldsOf('own', logging([]), model, { fold, view });
        const all = { ...fields, ...settings, stopWhen: isStepCount(1) };
        const { messages } = await say(mode, GO, all);
        await say(mode, structuredClone(messages), all);
        await say(mode, structuredClone(messages), all);
        assert.deepEqual(events, ['id_1 refused']);
      });
    }

    for (const kind of KINDS) {
      test(`a call that was repaired: ${mode}, ${kind}`, async () => {
        const events: string[] = [];
        const model = scripted([[act(kind, { text: 5 })]]);
        const fold = { onCall: onCallInto(events) };
        const repairToolCall = async ({ toolCall }: { toolCall: object }) => ({
          ...toolCall,
          input: '{"text":"a"}',
        });
        const repair = { experimental_repairToolCall: repairToolCall, repairToolCall };
        await say(mode, GO, { ...fieldsOf(kind, logging([]), model, { fold }), ...repair });
        assert.deepEqual(events, ['id_1 run']);
      });

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

    test(`promise 18: invalid arguments of an own tool in eager: ${mode}`, async () => {
      const events: string[] = [];
      const model = scripted([[act('own', { text: 5 })]]);
      const fold = { onCall: onCallInto(events), strategy: 'eager' as const };
      const view = { notice: () => undefined };
      await say(mode, GO, { ...fieldsOf('own', logging([]), model, { fold, view }) });
      assert.deepEqual(events, ['id_1 refused']);
    });
  }

  for (const name of ['then', 'toJSON', 'nothing']) {
    test(`promise 9: an unknown name does not list all tools to the app: ${name}`, async () => {
      const isCopy = name === 'nothing';
      const fields = fieldsOf('deferred', logging([]), scripted([[callOf(name, {})]]));
      const tools = isCopy ? { ...fields.tools } : fields.tools;
      const repairs: string[] = [];
      const experimental_repairToolCall = async ({ error }: { error: Error }) => {
        repairs.push(error.message);
        return null;
      };
      const said = await go({ ...fields, tools, experimental_repairToolCall });
      assert.doesNotMatch(JSON.stringify([said.messages, repairs]), /Available tools/);
    });
  }
});

/** The model behind a middleware of the app's that keeps no metadata of calls. */
function bare(model: LanguageModel): LanguageModel {
  const strip = (part: object) => {
    if ((part as { type?: string }).type !== 'tool-call') return part as never;
    const { providerMetadata: _, ...rest } = part as { providerMetadata?: object };
    return rest as never;
  };
  return wrapLanguageModel({
    model: model as never,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        return { ...result, content: result.content.map(strip) };
      },
      wrapStream: async ({ doStream }) => {
        const result = await doStream();
        const transform = (part: object, controller: { enqueue: (part: never) => void }) =>
          controller.enqueue(strip(part));
        return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
      },
    },
  });
}
