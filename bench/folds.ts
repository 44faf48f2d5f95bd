/**
 * Measures the CPU time of a request of an app that creates its fold in each request, with tools that hold the closures
 * of a user, compared with one shared fold in the same run: a request that is answered with text, one that loads and
 * calls a tool, and one that also searches. Nothing is sent: the model is an object.
 * Run: `npm run bench:folds [-- TASK] [-- APP]`.
 */
import { createFold, type Fold } from '@toolfold/ai-sdk';
import { generateText, isStepCount, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { type Call, scriptedModel } from './scripted-model.ts';

const TOOLS = 45;
const RUNS = 60;
const WARM_UP = 20;
/** Times of a shared fold that a request with a fold of its own may take, if its definitions are equal. */
const TARGET = 2;

const kinds = [
  'customer',
  'order',
  'invoice',
  'product',
  'supplier',
  'shipment',
  'contract',
  'ticket',
  'user',
];
const actions = ['find', 'create', 'update', 'archive', 'export'];
const names = actions.flatMap((action) => kinds.map((kind) => `${action}_${kind}`)).slice(0, TOOLS);

const schemaOf = (name: string) =>
  z.object({
    id: z.string().describe(`Which record ${name} is about.`),
    state: z.enum(['open', 'closed', 'waiting']).optional(),
    labels: z.array(z.string().max(40)).max(20).optional().describe('Labels to filter by.'),
    range: z
      .object({ from: z.string().describe('A day, YYYY-MM-DD.'), to: z.string().optional() })
      .optional(),
    limit: z.number().int().min(1).max(500).default(50),
  });

type Schema = ReturnType<typeof schemaOf>;

/** The tools of one user, who differs from others only in what `execute` closes over. */
function toolsOf(user: string, schemas: (name: string) => Schema): ToolSet {
  return Object.fromEntries(
    names.map((name) => [
      name,
      tool({
        description: `Use ${name} for records of the company. It answers with the fields of the record.`,
        inputSchema: schemas(name),
        execute: async ({ id }) => ({ id, user, name }),
      }),
    ]),
  );
}

const kept = new Map(names.map((name) => [name, schemaOf(name)]));
const keptSchema = (name: string): Schema => kept.get(name) ?? schemaOf(name);

const load: Call = ['load_tools', { group_id: 'app', tool_names: ['find_order'] }];
const call: Call = ['deferred_tool_call', { tool_name: 'find_order', arguments: { id: 'a' } }];
const plainCall: Call = ['find_order', { id: 'a' }];
const search: Call = ['tool_search', { query: 'orders of a customer' }];

/** What the model does in one request of the app before it answers with text: one call for each of its answers. */
const tasks: Readonly<Record<string, readonly Call[]>> = {
  text: [],
  call: [load, call],
  search: [search, load, call],
};

const modelOf = (calls: readonly Call[]) => scriptedModel(calls.map((one) => [one]));
const messages: ModelMessage[] = [{ role: 'user', content: 'Please look at order a.' }];
let user = 0;

async function request(fold: Fold<ToolSet>, calls: readonly Call[]): Promise<void> {
  const model = fold.with(modelOf(calls));
  const { text, steps } = await generateText({ ...model, messages, stopWhen: isStepCount(4) });
  const results = steps.flatMap((step) => step.toolResults.map(({ toolName }) => toolName));
  const isCalled = results.includes('find_order');
  if (text !== 'Done.' || isCalled !== calls.includes(call))
    throw new Error(`The request ended with "${text}" and the results of ${results.join(', ')}.`);
}

async function plainRequest(tools: ToolSet, calls: readonly Call[]): Promise<void> {
  const model = modelOf(calls.flatMap((one) => (one === call ? [plainCall] : [])));
  const { text } = await generateText({ model, tools, messages, stopWhen: isStepCount(4) });
  if (text !== 'Done.') throw new Error(`The request ended with "${text}".`);
}

const sharedFold = createFold({ tools: toolsOf('all', keptSchema) });

/** What one request of each app does. */
const apps: Readonly<Record<string, (calls: readonly Call[]) => Promise<void>>> = {
  shared: (calls) => request(sharedFold, calls),
  equal: (calls) => request(createFold({ tools: toolsOf(`user ${++user}`, keptSchema) }), calls),
  fresh: (calls) => request(createFold({ tools: toolsOf(`user ${++user}`, schemaOf) }), calls),
  // The same without Toolfold.
  plain: (calls) => plainRequest(toolsOf(`user ${++user}`, schemaOf), calls),
  // What the app itself does in the case before: it makes its schemas.
  schemas: async () => void toolsOf(`user ${++user}`, schemaOf),
};

/** Milliseconds of CPU time so far. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** The entries that an argument names, or all. */
function chosen<T>(all: Readonly<Record<string, T>>): [string, T][] {
  const named = Object.entries(all).filter(([name]) => process.argv.includes(name));
  return named.length > 0 ? named : Object.entries(all);
}

console.log(`CPU time of a request, ${TOOLS} tools, median of ${RUNS}`);
for (const [task, calls] of chosen(tasks)) {
  const times = new Map<string, number[]>();
  for (let run = 0; run < RUNS + WARM_UP; run++) {
    // In turns, so that other load affects all of them.
    for (const [name, app] of chosen(apps)) {
      const start = cpu();
      await app(calls);
      if (run >= WARM_UP) times.set(name, [...(times.get(name) ?? []), cpu() - start]);
    }
  }
  const shared = median(times.get('shared') ?? []);
  for (const [name] of chosen(apps)) {
    const time = median(times.get(name) ?? []);
    const ratio = time / shared;
    const verdict = ratio <= TARGET ? 'inside' : 'MISSED';
    const target = name === 'equal' ? `, target ${TARGET} ×: ${verdict}` : '';
    console.log(
      `  ${task.padEnd(8)}${name.padEnd(10)}${time.toFixed(2).padStart(8)} ms   ${ratio.toFixed(1)} ×${target}`,
    );
    if (name === 'equal' && ratio > TARGET) process.exitCode = 1;
  }
}
