/**
 * Measures the agent on long conversations: how long it takes to create one from a session, what a turn costs
 * beside the same turn of the AI SDK alone and with a fold, and what a step writes into the session. All times
 * are CPU time of the process (`process.cpuUsage`), to be compared within one run, after turns that are not
 * measured. Garbage is collected before each round. Nothing is sent: the model is an object, and the store is in
 * memory, except for what a step writes. Run: `npm run bench:sessions`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type Agent, createAgent } from '@toolfold/agent';
import {
  createSession,
  memoryStore,
  openSession,
  type Session,
  sqliteStore,
} from '@toolfold/agent/sessions';
import { createFold } from '@toolfold/ai-sdk';
import { isStepCount, jsonSchema, type ModelMessage, ToolLoopAgent, type ToolSet, tool } from 'ai';

/** Messages of the conversations. A turn has four: a question, a call, its result, an answer. */
const LENGTHS = [100, 1_000, 10_000] as const;
const CREATIONS = 9;
/** Rounds of turns that are measured, each with new agents, and the turns of a round. */
const ROUNDS = 9;
const TURNS = 5;
/** Rounds before those that are measured: code is compiled, as in a process that has run for a while. */
const WARM_UP = 6;
const STEPS = 100;
/** Times that ten times the messages may take where an agent is created. */
const CREATION_TARGET = 11;
/** Times that what Toolfold adds to a turn may grow from the shortest to the longest conversation. */
const GROWTH_TARGET = 1.5;
/** Bytes of rows that a step with one call may write. */
const STEP_TARGET = 6_300;

const collect = globalThis.gc;
if (!collect) throw new Error('Start it with --expose-gc, as npm run bench:sessions does.');

const RESULT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
const read = tool({
  description: 'Reads an item.',
  inputSchema: jsonSchema<{ item: number }>({
    type: 'object',
    properties: { item: { type: 'number' } },
  }),
  execute: async ({ item }) => `Item ${item}. ${RESULT}`,
});

function createTools() {
  return createFold({
    strategy: 'dispatch',
    groups: [{ groupId: 'work', toolNames: ['read'], loader: async () => ({ read }) }],
  });
}

let calls = 0;

/** A model that calls the tool `rounds` times in each turn, and then says something. */
function modelOf(rounds: number, nameOf: (item: number) => readonly [string, object]) {
  let left = rounds;
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Everything here streams.')),
    doStream: async () => {
      const isCall = left-- > 0;
      if (!isCall) left = rounds;
      const [toolName, input] = nameOf(++calls);
      const reason = isCall ? ('tool-calls' as const) : ('stop' as const);
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: `I look at item ${calls} now, and then I say more.` },
        { type: 'text-end', id: '0' },
      ];
      if (isCall)
        parts.push({
          type: 'tool-call',
          toolCallId: `call_${calls}`,
          toolName,
          input: JSON.stringify(input),
        });
      parts.push({
        type: 'finish',
        finishReason: { unified: reason, raw: reason },
        usage: {
          inputTokens: { total: 1_000, noCache: 1_000, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
      });
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  return model;
}

const plainModel = () => modelOf(1, (item) => ['read', { item }]);
const foldedModel = (rounds = 1) =>
  modelOf(rounds, (item) => [
    'deferred_tool_call',
    { tool_name: 'work__read', arguments: { item } },
  ]);

function agentOn(given: { session: Session } | { messages: ModelMessage[] }, rounds = 1): Agent {
  const fold = createTools() as never;
  const approvals = { mode: 'never' as const };
  const model = foldedModel(rounds);
  return createAgent({ model, fold, approvals, maxRounds: rounds + 1, ...given });
}

async function turnOf(agent: Agent): Promise<void> {
  for await (const event of agent.send('Please look at the next item.'))
    if (event.type === 'end' && event.reason !== 'done') throw event.error ?? new Error(event.code);
}

/** The same turn without an agent. */
async function turnOfSdk(
  fields: { readonly model: LanguageModelV4; readonly tools: ToolSet },
  before: readonly ModelMessage[],
): Promise<void> {
  const messages: ModelMessage[] = [
    ...before,
    { role: 'user', content: 'Please look at the next item.' },
  ];
  const result = await new ToolLoopAgent({ ...fields, stopWhen: isStepCount(3) }).stream({
    messages,
  });
  await result.consumeStream();
}

/** CPU time of the process in milliseconds. */
async function cpuTime(work: () => unknown): Promise<number> {
  collect?.();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function say(what: string, value: string, isReached = true): void {
  console.log(`  ${what.padEnd(64)}${value.padStart(12)}${isReached ? '' : '   MISSED'}`);
  if (!isReached) process.exitCode = 1;
}

const ms = (time: number) => `${time.toFixed(1)} ms`;
const count = (value: number) => value.toLocaleString('en');

const store = memoryStore();
/** The last entry of the conversation of each length. */
const leaves = new Map<number, string>();

/** A conversation for each length: turns of an agent, and copies of them with other ids of calls. */
async function fill(): Promise<void> {
  const [first] = LENGTHS;
  const session = await createSession(store);
  const agent = agentOn({ session });
  while (agent.messages.length < first) await turnOf(agent);
  const turns = session.entries.map(({ kind, body }) => JSON.stringify({ kind, body }));
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  for (const length of LENGTHS) {
    for (let copy = session.entries.length / turns.length; copy < length / first; copy++)
      await session.append(turns.map((text) => JSON.parse(renumbered(text, copy, turns.length))));
    const { record, entries } = session;
    leaves.set(length, record.leaf ?? '');
    console.log(`A conversation of ${count(length)} messages: ${count(entries.length)} entries`);
  }
  await session.end();
}

/** An entry of a later copy: with other ids of calls, and with the number of its answer. */
function renumbered(text: string, copy: number, size: number): string {
  return text
    .replaceAll(/call_(\d+)/g, (_, n) => `call_${Number(n) + copy * 10_000}`)
    .replace(/"answer":(\d+)/, (_, n) => `"answer":${Number(n) + copy * size}`);
}

/** A session of its own that begins with the conversation of this length. */
async function openedOf(length: number): Promise<Session> {
  const { id } = await createSession(store, { leaf: leaves.get(length) ?? '' });
  return openSession(store, id);
}

async function measureCreation(): Promise<void> {
  const times = new Map<number, number[]>(LENGTHS.map((length) => [length, []]));
  for (let n = 0; n <= CREATIONS; n++)
    for (const length of LENGTHS) {
      const session = await openedOf(length);
      const time = await cpuTime(() => agentOn({ session }));
      if (n > 0) times.get(length)?.push(time);
    }
  console.log('createAgent on a session, CPU time, median');
  for (const length of LENGTHS)
    say(`${count(length)} messages`, ms(median(times.get(length) ?? [])));
  const [, short, long] = LENGTHS;
  const ratio = median(times.get(long) ?? []) / median(times.get(short) ?? []);
  say(
    `${count(long)} beside ${count(short)} messages, target ${CREATION_TARGET} times`,
    ratio.toFixed(1),
    ratio <= CREATION_TARGET,
  );
}

/** What is added to the AI SDK. */
const WAYS = ['a fold', 'an agent', 'an agent on a session'] as const;

/** Turns of the AI SDK alone, with a fold, and of two agents, on a conversation of this length. */
async function waysOf(length: number): Promise<readonly (() => Promise<void>)[]> {
  const kept = agentOn({ session: await openedOf(length) });
  const messages = [...kept.messages];
  const given = agentOn({ messages });
  const fold = createTools();
  const plain = { model: plainModel(), tools: { read } };
  const folded = foldedModel();
  return [
    () => turnOfSdk(plain, messages),
    () => turnOfSdk(fold.with(folded) as never, messages),
    () => turnOf(given),
    () => turnOf(kept),
  ];
}

/** The median of a turn of each way, by length. */
async function turnTimes(): Promise<ReadonlyMap<number, readonly number[]>> {
  const times = new Map(LENGTHS.map((length) => [length, [[], [], [], []] as number[][]]));
  for (let n = 0; n < ROUNDS + WARM_UP; n++)
    for (const [length, all] of times)
      for (const [at, way] of (await waysOf(length)).entries()) {
        // The first turn of an agent reads all messages.
        await way();
        const time = await cpuTime(async () => {
          for (let turn = 0; turn < TURNS; turn++) await way();
        });
        if (n >= WARM_UP) all[at]?.push(time / TURNS);
      }
  return new Map([...times].map(([length, all]) => [length, all.map(median)]));
}

async function measureTurns(): Promise<void> {
  console.log('A turn with one call, CPU time, median');
  const added: (readonly number[])[] = [];
  for (const [length, [plain = 0, ...times]] of await turnTimes()) {
    const beyond = times.map((time) => time - plain);
    added.push(beyond);
    say(`${count(length)} messages: AI SDK alone`, ms(plain));
    for (const [at, way] of WAYS.entries())
      say(`  with ${way}, and beyond the SDK`, `${ms(times[at] ?? 0)}, +${ms(beyond[at] ?? 0)}`);
  }
  for (const [at, way] of WAYS.entries()) {
    const growth = (added.at(-1)?.[at] ?? 0) / (added[0]?.[at] ?? 0);
    const what = `growth of what ${way} adds, target ${GROWTH_TARGET}`;
    say(what, growth.toFixed(1), growth <= GROWTH_TARGET);
  }
}

/** The tables of a file of sessions, by what they are for. */
const TABLES = {
  'entries with their envelopes': 'entry*',
  'texts of requests': 'text*',
  'words for search': '*words*',
  [`all tables, target ${STEP_TARGET / 1_000} kB`]: '*',
};

/** The bytes of all rows in the tables of each kind, with their indexes. */
function bytesIn(file: string): number[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const sizes = database.prepare(
    `SELECT coalesce(sum(payload), 0) AS bytes FROM dbstat
     WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name GLOB ?)`,
  );
  const bytes = Object.values(TABLES).map((name) => Number(sizes.get(name)?.bytes));
  database.close();
  return bytes;
}

async function measureStep(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
  const file = await sqliteStore({ folder });
  let appends = 0;
  const session = await createSession({
    ...file,
    append: (...given) => {
      appends++;
      return file.append(...given);
    },
  });
  const turn = async (rounds: number) => {
    const before = bytesIn(file.name);
    appends = 0;
    await turnOf(agentOn({ session }, rounds));
    return { bytes: bytesIn(file.name).map((now, at) => now - (before[at] ?? 0)), appends };
  };
  const [one, many] = [await turn(1), await turn(STEPS + 1)];
  await file.close();
  rmSync(folder, { recursive: true });
  const bytes = many.bytes.map((all, at) => (all - (one.bytes[at] ?? 0)) / STEPS);
  const kB = (count: number) => `${(count / 1_000).toFixed(2)} kB`;
  console.log(`A step with a call and a result of ${RESULT.length} B writes, as rows with indexes`);
  for (const [at, name] of Object.keys(TABLES).entries())
    say(name, kB(bytes[at] ?? 0), (bytes[at] ?? 0) <= STEP_TARGET);
  say('transactions', ((many.appends - one.appends) / STEPS).toFixed(2));
}

await measureStep();
await fill();
await measureCreation();
await measureTurns();
