/**
 * Measures the time that Toolfold adds to one response with 100 calls on a history of 3,000 messages,
 * compared with the plain AI SDK in the same run. Nothing is sent: the model is an object. Run:
 * `npx node bench/calls.ts`.
 */
import { createFold } from '@toolfold/ai-sdk';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
  tool,
} from 'ai';
import { type Call, callsMade, scriptedModel } from './scripted-model.ts';

const CALLS = 100;
const MESSAGES = 3_000;
const RUNS = 5;
/** Milliseconds that Toolfold may add. */
const TARGET = 100;

/** How an app gives a model and tools to the SDK. */
type Wrap = (model: LanguageModel) => { model: LanguageModel; tools: ToolSet };

let executed = 0;
const tools: ToolSet = Object.fromEntries(
  Array.from({ length: 25 }, (_, n) => [
    `get_item_${n}`,
    tool({
      description: `Returns item ${n} of the workspace.`,
      inputSchema: jsonSchema<{ id: string }>({
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Which one.' },
          count: { type: 'integer' },
        },
        required: ['id'],
      }),
      execute: ({ id }) => {
        executed++;
        return { id, text: 'An item with some text that a model would read.'.repeat(4) };
      },
    }),
  ]),
);

/**
 * Runs two real turns, and repeats the second under other ids until the history has `MESSAGES`
 * messages.
 */
async function historyOf(wrap: Wrap, call: Call): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  let last: ModelMessage[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const prompt: ModelMessage = { role: 'user', content: `Please look at item ${turn}.` };
    const settings = wrap(scriptedModel([[call]]));
    const sent = [...messages, prompt];
    const result = await generateText({ ...settings, messages: sent, stopWhen: isStepCount(1) });
    last = [prompt, ...result.responseMessages];
    messages.push(...last);
  }
  const template = JSON.stringify(last);
  const id = `"call_${callsMade()}"`;
  for (let turn = 2; messages.length < MESSAGES; turn++) {
    messages.push(...JSON.parse(template.replaceAll(id, `"call_turn_${turn}"`)));
  }
  return messages.slice(0, MESSAGES);
}

/**
 * Milliseconds of one generation: a response with all calls, their executions, and a last answer.
 */
async function timeOf(wrap: Wrap, history: ModelMessage[], calls: readonly Call[]) {
  const messages: ModelMessage[] = [...history, { role: 'user', content: 'Now all of them.' }];
  const before = executed;
  const start = performance.now();
  const settings = wrap(scriptedModel([calls]));
  const { text } = await generateText({ ...settings, messages, stopWhen: isStepCount(2) });
  const time = performance.now() - start;
  if (text !== 'Done.' || executed - before !== calls.length) {
    throw new Error(`${executed - before} of ${calls.length} calls ran; the answer was "${text}".`);
  }
  return time;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

const names = Object.keys(tools);
const callsOf = (make: (name: string, input: object) => Call): Call[] =>
  Array.from({ length: CALLS }, (_, n) => make(names[n % names.length] ?? '', { id: String(n) }));

const group = { groupId: 'work', toolNames: names, loader: async () => tools };
const grouped = createFold({ groups: [group], strategy: 'dispatch' });
const other = { groupId: 'other', toolNames: names, loader: async () => tools };
const owned = createFold({ tools, groups: [other], strategy: 'dispatch' });
const inFold: Wrap = (model) => grouped.with(model);

const plain = {
  wrap: (model: LanguageModel) => ({ model, tools }),
  calls: callsOf((name, input) => [name, input]),
};
const cases: readonly { what: string; wrap: Wrap; calls: Call[] }[] = [
  { what: "the app's own tools", wrap: (model) => owned.with(model), calls: plain.calls },
  {
    what: 'tools of a group, called by their names',
    wrap: inFold,
    calls: callsOf((name, input) => [`work__${name}`, input]),
  },
  {
    what: 'tools of a group, dispatched',
    wrap: inFold,
    calls: callsOf((name, input) => [
      'deferred_tool_call',
      { tool_name: `work__${name}`, arguments: input },
    ]),
  },
];

console.log(
  `${CALLS} calls in one response on a history of ${MESSAGES.toLocaleString('en')} messages`,
);
const firstOf = ([call]: readonly Call[]): Call => call ?? ['', {}];
const plainHistory = await historyOf(plain.wrap, firstOf(plain.calls));
for (const { what, wrap, calls } of cases) {
  const history = await historyOf(wrap, firstOf(calls));
  const times = { plain: [] as number[], folded: [] as number[] };
  // The first run warms up. The two alternate, so that other load affects both.
  for (let run = 0; run <= RUNS; run++) {
    const beside = await timeOf(plain.wrap, plainHistory, plain.calls);
    const folded = await timeOf(wrap, history, calls);
    if (run === 0) continue;
    times.plain.push(beside);
    times.folded.push(folded);
  }
  const [without, withFold] = [median(times.plain), median(times.folded)];
  const added = withFold - without;
  const verdict = added <= TARGET ? 'inside' : 'MISSED';
  console.log(
    `  ${what.padEnd(42)}plain ${without.toFixed(0).padStart(5)} ms   Toolfold ${withFold.toFixed(0).padStart(6)} ms   added ${added.toFixed(0).padStart(6)} ms, target ${TARGET} ms: ${verdict}`,
  );
}
