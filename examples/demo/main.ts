import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { createFold } from '@toolfold/ai-sdk';
import { estimateTokens } from '@toolfold/core';
import { measure } from '@toolfold/core/estimate';
import { createLexicalSearch } from '@toolfold/core/search';
import { loadVectors } from '@toolfold/core/vectors';
import { auditPrefix } from '@toolfold/testing';
import { generateText, isStepCount } from 'ai';
import {
  inspectReport,
  inspectText,
} from '../../packages/toolfold/src/cli-tools/inspect-report.ts';
import {
  createWorkplace,
  FILE,
  MESSAGE,
  scriptFor,
  TEXT,
  taskFor,
} from '../../packages/toolfold/src/demo/demo.ts';
import { type ModelChoice, problemWith, startModel } from './model.ts';
import { eagerTokens, leastPaid, type RequestFigures, requestCounter } from './request-figures.ts';
import { startServers } from './servers.ts';

const HELP = `npm start -- [--model provider/name] [--base-url URL]
npm start -- --web

Starts six published MCP servers in a temporary folder, shows what their tools cost, and performs
one task with deferred tools. Without --model the model is a script. With --web, the servers and the
script are those of a page in your browser.`;

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text: string) => (colour ? styleText('bold', text) : text);
const count = (tokens: number) => Math.round(tokens).toLocaleString('en-US');
const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);

const choice = await readChoice();
const problem = problemWith(choice);
if (problem !== undefined) refuse(problem);

const stop = new AbortController();
let stoppedWith: number | undefined;
function stopWith(code: number): void {
  stoppedWith ??= code;
  stop.abort(new Error('stopped'));
}
for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => stopWith(code));
}
// The reader has read enough (`npm start | head`): the servers and the folder have to go all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => stopWith(error.code === 'EPIPE' ? 0 : 1));
}
try {
  await demonstrate(choice, stop.signal);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (stoppedWith === undefined) console.error(`Failed: ${message}`);
  else if (stoppedWith > 128) console.error('Stopped.');
  process.exitCode = stoppedWith ?? 1;
}

async function demonstrate(choice: ModelChoice, signal: AbortSignal): Promise<void> {
  await using workplace = await createWorkplace();
  await using started = await startModel(choice, scriptFor(workplace));
  const { model, title, sent } = started;
  console.log(`The model is ${title}.`);
  console.log(`\n${bold('Starting six MCP servers')} in ${workplace.folder}`);
  await using servers = await startServers(workplace, (line) => console.log(line), signal);

  const fold = createFold({
    groups: servers.groups,
    strategy: 'dispatch',
    search: async () => createLexicalSearch({ vectors: await loadVectors() }),
  });
  const measured = await measure(fold.layer, { signal });
  console.log(`\n${bold('What their tools cost')}\n`);
  const inspected = { source: workplace.config, servers: servers.servers, groups: servers.groups };
  const report = inspectReport(inspected, measured, { counter: 'estimate' });
  console.log(inspectText(report, (_, text) => text));

  console.log(bold('The task, with deferred tools'));
  const all = fold.layer.session({ strategy: 'eager' });
  await all.prepare();
  const { tools } = all.present([]);
  const figuresOf = requestCounter(model);
  const figures: RequestFigures[] = [];
  const eager: number[] = [];
  const paidWords = ({ paid }: Pick<RequestFigures, 'paid'>) =>
    paid === undefined ? '' : `, paid as ${count(paid)}`;
  let steps = 0;
  const audit = (count = sent.length) =>
    auditPrefix(sent.slice(0, count), { countTokens: estimateTokens });
  const result = await generateText({
    ...fold.with(model),
    prompt: taskFor(workplace),
    stopWhen: isStepCount(20),
    abortSignal: signal,
    maxRetries: 0,
    onStepFinish: (step) => {
      const failed = new Set(
        step.content.flatMap((part) => (part.type === 'tool-error' ? part.toolCallId : [])),
      );
      const calls = step.toolCalls.map(
        (call) => `${call.toolName}${failed.has(call.toolCallId) ? ' (failed)' : ''}`,
      );
      console.log(`  ${++steps}. ${calls.join(', ') || 'answer'}`);
      // A step is several requests where tools are loaded within it.
      for (const request of sent.slice(figures.length)) {
        const one = figuresOf(request);
        figures.push(one);
        const held = audit(figures.length).requests.at(-1)?.held !== false;
        console.log(
          `     request ${figures.length}: ${count(one.sent)} tokens sent, ${count(one.cached)} of them from the cache${paidWords(one)}; prefix ${held ? 'held' : 'BROKEN'}`,
        );
      }
      const last = sent.at(-1);
      if (last) eager.push(eagerTokens(last, tools));
    },
  });
  console.log(`\n${result.text}\n`);

  const { held, totals } = audit();
  const total = sum(figures.map((one) => one.sent));
  const paid = figures.some((one) => one.paid === undefined)
    ? undefined
    : // The sum of what was printed.
      sum(figures.map((one) => Math.round(one.paid ?? 0)));
  console.log(bold('Total'));
  console.log(
    `  Sent: ${count(total)} tokens in ${figures.length} requests, ${count(sum(figures.map((one) => one.cached)))} of them from the cache${paidWords({ paid })}.`,
  );
  const least = leastPaid(model, eager);
  const eagerPaid = least === undefined ? '' : `, paid as at least ${count(least)}`;
  console.log(
    `  With all schemas declared (eager): ${count(sum(eager))} tokens in ${eager.length} requests${eagerPaid}. So ${((100 * total) / sum(eager)).toFixed(1)} % of the tokens were sent.`,
  );
  console.log(
    `  The prompt prefix ${totals.breaks === 0 ? 'never broke' : `broke ${count(totals.breaks)} times`}: ${count(totals.keptTokens)} of ${count(totals.keptTokens + totals.newTokens)} tokens had been sent before. The cache is that of the provider's documents; what is paid counts its prices, an input token as 1. At least: if it serves all that was sent before.`,
  );

  console.log(bold('\nThe result in the folder'));
  const text = await readFile(join(workplace.repository, FILE), 'utf8');
  const log = execFileSync(
    'git',
    ['-C', workplace.repository, 'log', '--format=%h %s', '--', FILE],
    { encoding: 'utf8' },
  );
  console.log(`  ${FILE}:\n${text.replace(/^/gm, '    ').trimEnd()}`);
  console.log(`  git log: ${log.trim()}`);
  const isDone = text.trim() === TEXT.trim() && log.includes(MESSAGE) && held;
  if (!isDone)
    throw new Error('The task was not done as asked: the file, the commit or the prefix is wrong.');
  console.log(bold('\nWhere to go on'));
  console.log(
    '  Your own MCP servers: npx --no-install toolfold init, then npx --no-install toolfold inspect',
  );
  console.log('  Your own app:         docs/ai-sdk.md, after the diff in README.md');
}

async function readChoice(): Promise<ModelChoice> {
  try {
    const { values } = parseArgs({
      options: {
        model: { type: 'string' },
        'base-url': { type: 'string' },
        web: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    if (values.web) {
      if (values.model ?? values['base-url'])
        refuse('--web has a scripted model. Leave out --model.');
      await servePage();
    }
    return { model: values.model, baseUrl: values['base-url'] };
  } catch (error) {
    // Only the first sentence is shown: the parser's advice on positional arguments does not apply here.
    const message = error instanceof Error ? error.message : String(error);
    return refuse(`${message.split(/\. |\n/)[0]?.replace(/\.?$/, '.')} See --help.`);
  }
}

/** The same servers and script behind the page. Ends with its exit code, and passes signals on. */
async function servePage(): Promise<never> {
  const command = join(import.meta.dirname, '../../packages/toolfold/bin/toolfold.js');
  const page = spawn(process.execPath, [command, 'web', '--demo'], { stdio: 'inherit' });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => page.kill(signal));
  const [code] = await once(page, 'exit');
  process.exit(code ?? 1);
}

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}
