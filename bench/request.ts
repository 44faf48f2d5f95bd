/**
 * Measures the CPU time of a request through a fold, compared with the plain AI SDK in the same run: one
 * request of a new turn (`fold.with`, then one answer), a later step of a turn, and a step behind large calls.
 * Nothing is sent: the model is an object. Run: `npm run bench:request [-- dispatch|bridge|native]`.
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

/** Times of the plain SDK that a request through a fold may take. */
const TARGET = 2;
/** Times of parsing and writing the new call that a step behind large calls may add. */
const LARGE_TARGET = 3;
const LARGE = 100_000;
const LARGE_CALLS = 20;
/** Steps of one turn. */
const STEPS = 8;
const GROUP_SIZE = 10;

/** An app with a fold or without: its fields for one turn, and a call as its model writes it. */
interface App {
  readonly fields: (model: LanguageModel) => { model: LanguageModel; tools: ToolSet };
  readonly callOf: (input: object) => Call;
}

const strategies = {
  dispatch: (name: string, input: object): Call => [
    'deferred_tool_call',
    { tool_name: name, arguments: input },
  ],
  bridge: (name: string, input: object): Call => ['tool_call', { name, arguments: input }],
  native: (name: string, input: object): Call => [name, input],
};
type Strategy = keyof typeof strategies;

const inputSchema = jsonSchema<Record<string, unknown>>({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Which one.' },
    count: { type: 'integer' },
    text: { type: 'string' },
  },
  required: ['id'],
});
const execute = async ({ id }: Record<string, unknown>) => ({
  text: 'An item with some text that a model would read.'.repeat(4),
  id,
});
const toolsOf = (names: readonly string[]): ToolSet =>
  Object.fromEntries(
    names.map((name) => [name, tool({ description: `Does ${name}.`, inputSchema, execute })]),
  );

const names = Array.from({ length: GROUP_SIZE }, (_, at) => `get_item_${at}`);
const groupIds = (tools: number) =>
  Array.from({ length: tools / GROUP_SIZE }, (_, group) => `g${group}`);

function plainApp(tools: number): App {
  const all = toolsOf(groupIds(tools).flatMap((group) => names.map((name) => `${group}__${name}`)));
  return {
    fields: (model) => ({ model, tools: all }),
    callOf: (input) => ['g0__get_item_1', input],
  };
}

function foldedApp(tools: number, strategy: Strategy): App {
  const fold = createFold({
    groups: groupIds(tools).map((groupId) => ({
      groupId,
      toolNames: names,
      loader: async () => toolsOf(names),
    })),
    strategy,
    capabilities: [{ provider: 'bench', model: '*', forms: ['system-tools'] }],
  });
  return {
    fields: (model) => fold.with(model),
    callOf: (input) => strategies[strategy]('g0__get_item_1', input),
  };
}

/** Real turns of an app: a question, a call, its result, an answer. Later turns repeat the second under other ids. */
async function historyOf({ fields, callOf }: App, length: number): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  let last: ModelMessage[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const prompt: ModelMessage = { role: 'user', content: `Please look at item ${turn}.` };
    const sent = [...messages, prompt];
    const settings = {
      ...fields(scriptedModel([[callOf({ id: 'a' })]])),
      stopWhen: isStepCount(2),
    };
    const result = await generateText({ ...settings, messages: sent });
    last = [prompt, ...result.responseMessages];
    messages.push(...last);
  }
  const template = JSON.stringify(last);
  const id = `"call_${callsMade()}"`;
  for (let turn = 2; messages.length < length; turn++)
    messages.push(...JSON.parse(template.replaceAll(id, `"call_turn_${turn}"`)));
  // The last turn is left whole: a call must have its result.
  const end = messages.slice(0, length).findLastIndex(({ role }) => role === 'user');
  return [...messages.slice(0, Math.max(0, end)), { role: 'user', content: 'And now?' }];
}

/** Milliseconds of CPU time so far. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** One request of a new turn. */
async function requestTime({ fields }: App, messages: ModelMessage[]): Promise<number[]> {
  const start = cpu();
  await generateText({ ...fields(scriptedModel([])), messages });
  return [cpu() - start];
}

/** The later steps of one turn: from one request of the model to the next. */
async function stepTimes(app: App, messages: ModelMessage[], calls: Call[]): Promise<number[]> {
  const starts: number[] = [];
  const answers = calls.map((call) => [call]);
  const model = scriptedModel(answers, () => starts.push(cpu()));
  await generateText({ ...app.fields(model), messages, stopWhen: isStepCount(calls.length + 1) });
  return starts.slice(1).map((start, step) => start - (starts[step] ?? 0));
}

/** Median times of two apps, measured in turns, so that other load affects both. */
async function compare(
  runs: number,
  plain: () => Promise<number[]>,
  folded: () => Promise<number[]>,
): Promise<readonly [plain: number, folded: number]> {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(runs / 4);
  for (let run = 0; run < runs + warmUp; run++) {
    const [one, other] = [await plain(), await folded()];
    if (run < warmUp) continue;
    times[0].push(...one);
    times[1].push(...other);
  }
  return [median(times[0]), median(times[1])];
}

const ms = (time: number) => `${time.toFixed(2).padStart(8)} ms`;

function say(what: string, [plain, folded]: readonly [number, number]): void {
  const times = folded / plain;
  const verdict = times <= TARGET ? 'inside' : 'MISSED';
  console.log(
    `  ${what.padEnd(46)}plain ${ms(plain)}   Toolfold ${ms(folded)}   ${times.toFixed(1).padStart(5)} ×, target ${TARGET} ×: ${verdict}`,
  );
}

/** A step whose conversation has large calls before it, and which adds one. */
async function sayLarge(strategy: Strategy): Promise<void> {
  const rows = Array.from({ length: LARGE / 50 }, (_, n) => ({ n, text: `Row ${n} of a table.` }));
  const inputOf = (n: number) => ({
    id: `${n}`,
    text: JSON.stringify(rows).slice(0, LARGE / 2),
    rows,
  });
  const apps = { plain: plainApp(40), folded: foldedApp(40, strategy) };
  const question: ModelMessage[] = [{ role: 'user', content: 'All of them.' }];
  const lastStep = async (app: App) => {
    const calls = Array.from({ length: LARGE_CALLS + 1 }, (_, n) => app.callOf(inputOf(n)));
    return (await stepTimes(app, question, calls)).slice(-3);
  };
  const [plain, folded] = await compare(
    12,
    () => lastStep(apps.plain),
    () => lastStep(apps.folded),
  );
  const text = JSON.stringify(inputOf(0));
  const units = Array.from({ length: 200 }, () => {
    const start = cpu();
    JSON.stringify(JSON.parse(text));
    return cpu() - start;
  });
  const unit = units.reduce((sum, time) => sum + time, 0) / units.length;
  const times = (folded - plain) / unit;
  const verdict = times <= LARGE_TARGET ? 'inside' : 'MISSED';
  console.log(
    `  a step behind ${LARGE_CALLS} calls of ${(text.length / 1_000).toFixed(0)} kB: plain ${ms(plain)}   Toolfold ${ms(folded)}   added ${times.toFixed(1)} × parsing and writing one call (${ms(unit).trim()}), target ${LARGE_TARGET} ×: ${verdict}`,
  );
}

const wanted = Object.keys(strategies).filter((name) => process.argv.includes(name));
const chosen = (wanted.length > 0 ? wanted : ['dispatch', 'bridge', 'native']) as Strategy[];
for (const strategy of chosen) {
  console.log(`CPU time of a request, strategy ${strategy}`);
  for (const [tools, length] of [
    [40, 10],
    [400, 10],
    [4_000, 10],
    [40, 300],
    [40, 3_000],
    [4_000, 3_000],
  ] as const) {
    const plain = plainApp(tools);
    const folded = foldedApp(tools, strategy);
    const [before, after] = [await historyOf(plain, length), await historyOf(folded, length)];
    const runs = tools * length > 40_000 ? 40 : 200;
    const size = `${tools} tools, ${length} messages`;
    const request = await compare(
      runs,
      () => requestTime(plain, before),
      () => requestTime(folded, after),
    );
    say(`${size}: a request`, request);
    const callsOf = (app: App) =>
      Array.from({ length: STEPS }, (_, n) => app.callOf({ id: `${n}` }));
    const step = await compare(
      Math.ceil(runs / STEPS),
      () => stepTimes(plain, before, callsOf(plain)),
      () => stepTimes(folded, after, callsOf(folded)),
    );
    say(`${size}: a later step`, step);
  }
  await sayLarge(strategy);
}
