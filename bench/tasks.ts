/**
 * Counts the tokens sent in scripted tasks, and what they cost at the model's cache prices: Toolfold's
 * strategies compared with eager and with the AI SDK's own `toolSearch()` with `deferLoading`, in one run, on
 * the Anthropic wire format. Counts use o200k_base over the recorded bodies, block by block as in the prefix
 * auditor. `-- --model claude-haiku-4-5` counts with the prices and the minimum of another model.
 */
import { parseArgs } from 'node:util';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createRouter, preloadBy } from '@toolfold/agent';
import { createFold } from '@toolfold/ai-sdk';
import type { StrategyName } from '@toolfold/core';
import { pricesOf } from '@toolfold/core/models';
import { auditPrefix, type RecordedRequest, startModelServer } from '@toolfold/testing';
import { generateText, isStepCount, type ModelMessage, type ToolSet, toolSearch } from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Cost, costAsSent, costAtBest } from './tasks/cost.ts';
import { nextReply, type Progress, type UsedWay, WAYS, type Way } from './tasks/script.ts';
import { type Goal, generatedTask, ownTask, publishedTasks, type Task } from './tasks/tasks.ts';
import { generatedServers, ownTools, publishedServers, sdkTools } from './tasks/tools.ts';

/** By default a model that accepts new tools during a conversation. */
const { model: modelId } = parseArgs({
  options: { model: { type: 'string', default: 'claude-opus-5-5' } },
}).values;

/** What a way did in a task. */
interface Run {
  /** The way; for `auto` also the strategy that it chose. */
  readonly title: string;
  /** The HTTP requests that the model server recorded, as a provider counts and bills them. */
  readonly requests: readonly RecordedRequest[];
  /** The steps that the AI SDK counts, as `stopWhen` sees them. */
  readonly steps: number;
}

async function runTask({ turns, catalog }: Task, way: Way): Promise<Run> {
  let used = way as UsedWay;
  const shown = new Set<string>();
  let goals: readonly Goal[] = [];
  let progress: Progress = { shown, done: 0 };
  await using server = await startModelServer({
    script: ({ raw }) => nextReply(used, goals, progress, raw),
  });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(modelId);
  const { groups, own } = catalog;
  const fields =
    way === 'toolSearch()'
      ? {
          model,
          tools: {
            find_tools: toolSearch({ maxResults: 3 }),
            ...(await sdkTools(catalog, true)),
          } as ToolSet,
        }
      : way === 'eager'
        ? { model, tools: await sdkTools(catalog, false) }
        : folded();
  function folded(): object {
    const strategy = way.replace(', preload', '') as StrategyName | 'auto';
    const fold = createFold({ tools: own, groups, strategy });
    if (way === 'auto') used = fold.explain(model).strategy as StrategyName;
    return fold.with(model, way.endsWith('preload') ? { preload: preloadBy(createRouter()) } : {});
  }
  const before = catalog.runs();
  let steps = 0;
  let messages: ModelMessage[] = [];
  for (const turn of turns) {
    goals = turn.goals;
    progress = { shown, done: 0 };
    // `toolSearch()` forgets its results when a generation ends. The model has to search again.
    if (way === 'toolSearch()') shown.clear();
    messages.push({ role: 'user', content: turn.text });
    const result = await generateText({
      ...fields,
      messages,
      stopWhen: isStepCount(30),
      maxRetries: 0,
    } as Parameters<typeof generateText>[0]);
    steps += result.steps.length;
    messages = [...messages, ...result.responseMessages];
  }
  const wanted = turns.reduce((sum, turn) => sum + turn.goals.length, 0);
  const runs = catalog.runs() - before;
  if (runs !== wanted) throw new Error(`${way}: ${runs} of ${wanted} calls ran.`);
  const title = way === 'auto' ? `auto: ${used}` : way;
  return { title, requests: [...server.requests], steps };
}

const pad = (text: string | number, width: number) => String(text).padStart(width);
const figure = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const tasks = [
  ...publishedTasks(await publishedServers()),
  generatedTask(generatedServers()),
  ownTask(ownTools()),
];
const WITHOUT_TOOLFOLD: readonly Way[] = ['eager', 'toolSearch()'];
const totals = new Map<Way, number>();
console.log(
  'Tokens are o200k_base over the recorded request bodies; "kept" is the share a cache could serve, "new" the rest. Requests are HTTP requests, steps those of the AI SDK. "cost" weighs the tokens by the prices of the cache: Toolfold asks by itself; eager and toolSearch() have the best of no marks, the mark at the top level, and three marks.\n',
);
for (const task of tasks) {
  console.log(`${task.name} (${task.catalog.title})`);
  console.log(
    `  ${'way'.padEnd(18)}${pad('requests', 9)}${pad('steps', 7)}${pad('sent', 11)}${pad('of eager', 10)}${pad('cached', 11)}${pad('kept', 8)}${pad('new', 9)}${pad('breaks', 8)}${pad('cost', 10)}${pad('of eager', 10)}`,
  );
  let cheapest: Cost | undefined;
  let eager = 0;
  for (const way of WAYS) {
    const { title, requests, steps } = await runTask(task, way);
    const report = auditPrefix(requests, { countTokens });
    const { keptTokens, newTokens, breaks } = report.totals;
    const sent = keptTokens + newTokens;
    if (way === 'eager') eager = sent;
    const cost = WITHOUT_TOOLFOLD.includes(way) ? costAtBest(requests) : costAsSent(requests);
    cheapest ??= cost;
    totals.set(way, (totals.get(way) ?? 0) + cost.total);
    console.log(
      `  ${title.padEnd(18)}${pad(requests.length, 9)}${pad(steps, 7)}${pad(figure(sent), 11)}${pad(percent(sent, eager), 10)}${pad(figure(keptTokens), 11)}${pad(percent(keptTokens, sent), 8)}${pad(figure(newTokens), 9)}${pad(breaks, 8)}${pad(figure(cost.total), 10)}${pad(percent(cost.total, cheapest.total), 10)}`,
    );
  }
  console.log();
}

const prices = pricesOf({ provider: 'anthropic.messages', modelId });
const eager = totals.get('eager') ?? 0;
console.log(
  `Cost of all ${tasks.length} tasks on ${modelId} (read ${prices?.read}, write ${prices?.write}, at least ${prices?.minPrefix} tokens), in token equivalents`,
);
console.log(`  ${'all tasks'.padEnd(18)}${pad('cost', 10)}${pad('of eager', 10)}`);
for (const [way, cost] of totals) {
  console.log(`  ${way.padEnd(18)}${pad(figure(cost), 10)}${pad(percent(cost, eager), 10)}`);
}
