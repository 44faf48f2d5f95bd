import type { LanguageModelV4 } from '@ai-sdk/provider';
import { jsonSchema, type LanguageModel, type ToolSet, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { POLICIES } from './rules.test-support.ts';
import { type Coordinates, isOwn, isUnknownYet, type Trial } from './trial.test-support.ts';
import type { Expected, Way } from './way.test-support.ts';

/** A call that is valid only after its schema is known, when it is too late for a repair. */
const lateInvalid = (at: Coordinates, expected: Expected): Expected =>
  isUnknownYet(at) ? 'not run' : expected;
/** A refusal that is found only at the run is the tool's own result. */
const atRun = (at: Coordinates, expected: Expected): Expected => {
  if (at.policy === 'deny final') return 'refused';
  return at.policy.endsWith('final') ? 'either' : expected;
};
const repairsTo = (make: (trial: Trial) => object) => (trial: Trial) => ({
  repairToolCall: async ({ toolCall }: { toolCall: object }) => {
    trial.repairs++;
    return { ...toolCall, ...make(trial) };
  },
});
const repaired = { text: 'repaired' };
const repairedInput = { input: JSON.stringify(repaired) };

/** Ways that cannot be tested here, with the reason. */
export const UNTRIED: readonly { readonly name: string; readonly why: string }[] = [
  {
    name: 'an OpenAI custom tool',
    why: 'the recording server has no `custom_tool_call`: its scripted calls are function calls',
  },
  {
    name: 'a tool that a provider runs itself',
    why: 'it has run when its call arrives: there is nothing left to permit',
  },
];

/** Changes of an input by the SDK, the schema or the app. */
export const INPUT_WAYS: readonly Way[] = [
  { name: 'plain' },
  {
    name: 'schema default',
    isMadeBySchema: true,
    schema: z.object({ text: z.string(), to: z.string().default('all') }),
    final: { text: 'a', to: 'all' },
  },
  {
    name: 'schema coerces',
    isMadeBySchema: true,
    schema: z.object({ text: z.string(), count: z.coerce.number() }),
    written: { text: 'a', count: '3' },
    final: { text: 'a', count: 3 },
  },
  {
    name: 'schema strips',
    isMadeBySchema: true,
    written: { text: 'a', more: 'b' },
    final: { text: 'a' },
  },
  {
    name: 'schema transforms',
    isMadeBySchema: true,
    schema: z.object({ text: z.string().transform((text) => text.toLowerCase()) }),
    written: { text: 'A' },
    final: { text: 'a' },
  },
  {
    name: 'schema transforms, twice would show',
    isMadeBySchema: true,
    isMadeAnew: true,
    schema: z.object({ text: z.string().transform((text) => `${text}!`) }),
    final: { text: 'a!' },
  },
  {
    name: 'refined',
    settings: ({ target }) => ({
      experimental_refineToolInput: { [target]: (input: object) => ({ ...input, text: 'b' }) },
    }),
    final: { text: 'b' },
    skip: (at) =>
      at.mode === 'agent UI' && POLICIES[at.policy].comesTo === 'asks'
        ? 'the SDK takes UI messages with refined inputs for tampered ones'
        : undefined,
  },
  {
    name: 'repaired arguments',
    written: { text: 5 },
    final: repaired,
    settings: repairsTo(() => repairedInput),
    mayRepair: true,
    expects: lateInvalid,
    skip: (at) =>
      at.strategy === 'eager' && !isOwn(at) && !POLICIES[at.policy].hook
        ? 'without hooks eager leaves the checking to the run, where no repair is asked for'
        : undefined,
  },
  {
    name: 'a repair that is not asked for',
    final: { text: 'a' },
    settings: repairsTo(({ target }) => ({ toolName: target, input: '{"text":"a"}' })),
  },
  {
    name: 'repaired to another name',
    calls: (trial) => [trial.call({ text: 5 }, 'note')],
    final: repaired,
    settings: repairsTo(({ target }) => ({ toolName: target, ...repairedInput })),
    mayRepair: true,
    // Of a call that comes under another name than it came by, no more is known than of any other.
    expects: (at, expected) => {
      const { hook } = POLICIES[at.policy];
      if (hook) return expected;
      return at.field === 'overridden' || (!isOwn(at) && at.load === 'not loaded')
        ? 'either'
        : expected;
    },
  },
  {
    name: 'empty input',
    isMadeBySchema: true,
    schema: z.object({ text: z.string().default('d') }),
    written: '',
    final: { text: 'd' },
  },
  {
    name: 'blank object input',
    isMadeBySchema: true,
    schema: z.object({ text: z.string().default('d') }),
    written: {},
    final: { text: 'd' },
  },
  {
    name: 'a list for an input',
    written: '["a"]',
    expects: () => 'not run',
  },
  {
    name: 'a text for an input that nothing checks',
    written: '"a"',
    final: 'a',
    tool: { inputSchema: jsonSchema({ type: 'object' }) },
    // It may be refused because it is no object. It must not bypass a policy.
    expects: (_, expected) => (expected === 'runs' || expected === 'either' ? 'either' : 'not run'),
    skip: (at) =>
      at.mode === 'generateText'
        ? 'the plain form of the wire has no place for raw text'
        : asksAndGets(at, 'an approved text may run or be refused'),
  },
];

/** Code between the fold and the SDK. */
export const PASSING_WAYS: readonly Way[] = [
  { name: 'a copy of the set', fields: (fields) => ({ ...fields, tools: { ...fields.tools } }) },
  {
    name: 'a copy of each tool',
    fields: (fields) => ({
      ...fields,
      tools: Object.fromEntries(
        Object.entries(fields.tools).map(([name, tool]) => [name, { ...tool }]),
      ) as typeof fields.tools,
    }),
  },
  {
    name: 'a middleware outside that clones each part',
    fields: (fields) => ({ ...fields, model: rewriting(fields.model, (part) => part) }),
  },
  {
    name: 'a middleware outside that rewrites the input',
    final: { text: 'b' },
    fields: (fields, { target }) => ({
      ...fields,
      model: rewriting(fields.model, (part) =>
        part.type === 'tool-call' && part.toolName === target
          ? { ...part, input: '{"text":"b"}' }
          : part,
      ),
    }),
  },
  {
    name: 'a middleware outside that drops all metadata',
    fields: (fields) => ({
      ...fields,
      model: rewriting(fields.model, ({ providerMetadata: _, ...part }) => part),
    }),
  },
  {
    name: 'a tool wrapped by the app, another input',
    final: { text: 'b' },
    approved: { text: 'a' },
    fields: (fields, { target }) => ({
      ...fields,
      tools: { ...fields.tools, [target]: wrapped(fields.tools[target]) } as typeof fields.tools,
    }),
    expects: (at, expected) => atRun(at, expected),
    // The user approved another call.
    resumes: (at) => (at.policy === 'ask' ? 'not run' : 'runs'),
  },
  {
    name: 'onToolExecutionStart changes the input',
    final: { text: 'b' },
    approved: { text: 'a' },
    settings: ({ target }) => ({
      onToolExecutionStart: ({ toolCall }: { toolCall: { toolName: string; input: object } }) => {
        if (toolCall.toolName === target) Object.assign(toolCall.input, { text: 'b' });
      },
    }),
    expects: (at, expected) => atRun(at, expected),
    // The approved input differs from the final input: the user is asked again.
    resumes: (at) => (at.policy === 'ask' ? 'not run' : 'either'),
  },
  {
    name: 'onInputAvailable changes the input',
    final: { text: 'b' },
    tool: {
      onInputAvailable: ({ input }: { input: object }) => void Object.assign(input, { text: 'b' }),
    },
    // The SDK compares the approved input with the model's input.
    resumes: () => 'either',
    skip: (at) =>
      isOwn(at) ? undefined : 'callbacks of tools that a loader gives are not called by the SDK',
  },
];

/** Changes by `prepareStep`. */
export const STEP_WAYS: readonly Way[] = [
  {
    name: 'the model of another view, without hooks',
    settings: (trial) => {
      const { model } = trial.free();
      return { prepareStep: () => ({ model }) };
    },
    // No call of another view's model is known to have gone by the app's own function.
    expects: (at, expected) =>
      at.field === 'overridden' && !POLICIES[at.policy].hook && expected === 'runs'
        ? 'either'
        : expected,
  },
  {
    name: 'the tools of another view, without hooks',
    view: (trial, changes) => {
      const { tools, ...rest } = trial.free();
      return { ...rest, tools, model: trial.with(changes).model };
    },
    // The tools decide, and theirs have no hooks; whether the model's view has a say is not laid down.
    expects: (_, expected) => (expected === 'runs' ? 'runs' : 'either'),
    also: ({ trial, asked }) =>
      asked.length > 0 && trial.runs.length > 0 && trial.at.answer === 'no'
        ? ['ran against the answer']
        : [],
    skip: (at) =>
      at.policy.startsWith('needsApproval')
        ? 'what a tool says of itself belongs to its own view'
        : undefined,
  },
  {
    name: 'copied messages',
    settings: () => ({
      prepareStep: ({ messages }: { messages: unknown }) => ({
        messages: structuredClone(messages),
      }),
    }),
  },
  {
    name: 'messages cut to what the user said',
    settings: () => ({
      prepareStep: ({ messages }: { messages: { role: string }[] }) => ({
        messages: messages.filter(({ role }) => role === 'user'),
      }),
    }),
    isUnread: true,
  },
];

/** Tools of other kinds. */
export const TOOL_WAYS: readonly Way[] = [
  {
    name: 'a tool beside the fold',
    target: () => 'extra',
    fields: (fields, trial) => ({
      ...fields,
      tools: { ...fields.tools, extra: trial.made('extra', besideOf(trial)) },
    }),
    // Nothing of the fold's is in its `needsApproval`: only the third field can ask. What is denied
    // before it is known that the field is in use goes to a tool of the fold's.
    expects: (at, expected) =>
      at.policy.startsWith('ask') && at.field !== 'third field'
        ? 'open'
        : expected === 'denied'
          ? 'refused'
          : expected,
    skip: (at) =>
      at.kind === 'own' ? undefined : 'the fold does not know it, its dispatcher neither',
  },
  {
    name: 'a tool without execute',
    tool: { execute: undefined },
    isLeftOpen: true,
    expects: (_, expected) =>
      expected === 'runs' ? 'not run' : expected === 'denied' ? 'refused' : expected,
    skip: (at) =>
      at.field === 'overridden'
        ? 'the app runs it, and nothing of the fold stands before that'
        : isOwn(at)
          ? undefined
          : 'a group without it is told that it cannot be run here',
  },
];

/** The turn is aborted by code of the app, which then goes on. */
export const ABORT_WAYS: readonly Way[] = (['hook', 'observer', 'setting'] as const).map(
  (abortedBy) => ({
    name: `aborted in the app's ${abortedBy}`,
    abortedBy,
    isLeftOpen: true as const,
    settings: ({ controller }) => ({ abortSignal: controller.signal }),
    ...(abortedBy === 'setting' && {
      app:
        ({ controller, target }: Trial) =>
        ({ toolCall }: { toolCall: { toolName: string } }) => {
          if (toolCall.toolName === target) controller.abort();
          return undefined;
        },
    }),
    expects: () => 'not run' as const,
    also: ({ trial }) =>
      trial.runs.some(({ tool }) => tool === trial.target) ? ['ran after the abort'] : [],
    skip: (at) => {
      if (abortedBy === 'hook' && !POLICIES[at.policy].hook) return 'there is no hook';
      if (abortedBy === 'setting' && at.field !== 'third field')
        return 'the setting reaches the SDK by the third field alone';
      return undefined;
    },
  }),
);

/** Several calls in one response. */
export const CALL_WAYS: readonly Way[] = [
  {
    name: 'equal calls',
    calls: (trial) => [trial.call(trial.written), trial.call(trial.written)],
    times: 2,
  },
  {
    name: 'equal ids, equal inputs',
    isOdd: true,
    times: 2,
    calls: (trial) => [1, 2].map(() => ({ ...trial.call(trial.written), id: 'same' })),
    // The SDK keeps its answers by id: of two only one can be asked about, and of two denials
    // `generateText` counts one, and does not go on.
    expects: (_, expected) => (expected === 'asks' || expected === 'denied' ? 'not run' : expected),
    skip: (at) =>
      asksAndGets(at, 'the SDK keeps answers by id: it cannot say which call was meant'),
  },
  {
    name: 'equal ids, other inputs',
    isOdd: true,
    calls: (trial) =>
      [{ text: 'z' }, trial.written].map((input) => ({ ...trial.call(input), id: 'same' })),
    expects: (at) => (['deny', 'throw', 'ask'].includes(at.policy) ? 'not run' : 'open'),
    also: ({ trial }) => {
      const isRun = trial.runs.some(
        ({ tool, input }) => tool === trial.target && trial.isFinal(input),
      );
      return isRun && trial.at.policy === 'deny final' ? ['ran what a hook denies'] : [];
    },
    skip: (at) =>
      asksAndGets(at, 'the SDK keeps answers by id: it cannot say which call was meant'),
  },
];

function asksAndGets({ policy, answer }: Coordinates, why: string): string | undefined {
  return answer === 'yes' && POLICIES[policy].comesTo === 'asks' ? why : undefined;
}

type Part = Record<string, unknown>;

/** The model behind an outer middleware of the app that replaces parts. */
function rewriting(model: LanguageModel, change: (part: Part) => Part): LanguageModel {
  const rewrite = (part: unknown) => change(structuredClone(part) as Part) as never;
  return wrapLanguageModel({
    model: model as LanguageModelV4,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        return { ...result, content: result.content.map(rewrite) };
      },
      wrapStream: async ({ doStream }) => {
        const result = await doStream();
        const transform = (part: unknown, controller: { enqueue: (part: never) => void }) =>
          controller.enqueue(rewrite(part));
        return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
      },
    },
  });
}

/** A tool that the app wraps: it runs with an input that no policy has seen. */
function wrapped(tool: ToolSet[string] | undefined): object {
  const execute = tool?.execute as (input: object, options: unknown) => unknown;
  return {
    ...tool,
    execute: (input: object, options: unknown) => execute({ ...input, text: 'b' }, options),
  };
}

function besideOf({ at, final }: Trial): object {
  const { needsApproval } = POLICIES[at.policy];
  return {
    description: 'Beside the fold.',
    inputSchema: z.object({ text: z.string() }),
    ...(needsApproval && { needsApproval: (input: unknown) => needsApproval(input, final) }),
  };
}
