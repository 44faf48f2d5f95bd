import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { generateText, isStepCount } from 'ai';
import { createFold } from 'toolfold/ai-sdk';
import { auditPrefix } from 'toolfold/testing';
import { inspectReport } from '../../src/cli/inspect-report.ts';
import { inspectText } from '../../src/cli/inspect-text.ts';
import { chooseModel } from './model.ts';
import { FILE, MESSAGE, scriptFor, TEXT, taskFor } from './script.ts';
import { createWorkplace, startServers } from './servers.ts';

const HELP = `npm start -- [--model provider/name] [--base-url URL]

Starts six published MCP servers in a throwaway folder, shows what their tools cost, and carries out
one task through deferred tools. Without --model the model is a script.`;

const { values } = parseArgs({
  options: { model: { type: 'string' }, 'base-url': { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const abort = new AbortController();
process.once('SIGINT', () => abort.abort(new Error('Interrupted.')));
process.once('SIGTERM', () => abort.abort(new Error('Ended.')));

const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const bold = (text: string) => (colour ? styleText('bold', text) : text);
const count = (tokens: number) => tokens.toLocaleString('en-US');

const workplace = await createWorkplace();
const { model, title, sent, close } = await chooseModel(
  { model: values.model, baseUrl: values['base-url'] },
  scriptFor(workplace),
);
console.log(`The model is ${title}.`);
console.log(`\n${bold('Starting six MCP servers')} in ${workplace.folder}`);
const servers = await startServers(workplace, (line) => console.log(line), abort.signal);
try {
  const tokens: number[] = [];
  const messages: number[] = [];
  const fold = createFold({
    groups: servers.groups,
    strategy: 'dispatch',
    onRequest: (event) => {
      tokens.push(event.tokens.total);
      messages.push(event.tokens.messages);
    },
  });
  const measured = await fold.layer.measure({ signal: abort.signal });
  console.log(`\n${bold('What their tools cost')}\n`);
  const table = { source: workplace.config, counter: 'estimate', measured, ...servers };
  console.log(inspectText(inspectReport(table), (_, text) => text));

  console.log(bold('The task, through deferred tools'));
  const eager = measured.strategies.eager.total;
  let step = 0;
  const result = await generateText({
    ...fold.with(model),
    prompt: taskFor(workplace),
    stopWhen: isStepCount(20),
    abortSignal: abort.signal,
    maxRetries: 0,
    onStepFinish: ({ toolCalls, content }) => {
      const failed = new Set(
        content.flatMap((part) => (part.type === 'tool-error' ? part.toolCallId : [])),
      );
      const calls = toolCalls.map(
        (call) => `${call.toolName}${failed.has(call.toolCallId) ? ' (failed)' : ''}`,
      );
      const held = auditPrefix(sent.slice(0, step + 1)).requests.at(-1)?.held !== false;
      const would = eager + (messages[step] ?? 0);
      const sizes = `${count(tokens[step] ?? 0)} tokens sent, eager ${count(would)}`;
      console.log(
        `  ${step + 1}. ${calls.join(', ') || 'answer'}\n     ${sizes}, prefix ${held ? 'held' : 'BROKEN'}`,
      );
      step++;
    },
  });
  console.log(`\n${result.text}\n`);

  const all = tokens.reduce((sum, n) => sum + n, 0);
  const allEager = messages.reduce((sum, n) => sum + n + eager, 0);
  const report = auditPrefix(sent);
  const share = ((100 * all) / allEager).toFixed(1);
  console.log(bold('In all'));
  console.log(
    `  ${count(all)} tokens in ${sent.length} requests; eager schemas over the same messages: ${count(allEager)} (${share} %)`,
  );
  console.log(
    `  the cached prefix broke ${report.totals.breaks} times; ${count(report.totals.keptTokens)} tokens could be read from a cache`,
  );

  console.log(bold('\nWhat is really there'));
  const text = await readFile(join(workplace.repository, FILE), 'utf8');
  const log = execFileSync(
    'git',
    ['-C', workplace.repository, 'log', '--format=%h %s', '--', FILE],
    { encoding: 'utf8' },
  );
  console.log(`  ${FILE}:\n${text.replace(/^/gm, '    ').trimEnd()}`);
  console.log(`  git log: ${log.trim()}`);
  const isDone = text.trim() === TEXT.trim() && log.includes(MESSAGE) && report.held;
  if (!isDone) throw new Error('The task was not carried out as asked.');
} catch (error) {
  console.error(error instanceof Error ? `Failed: ${error.message}` : error);
  process.exitCode = abort.signal.aborted ? 130 : 1;
} finally {
  await servers.close();
  await close();
  await rm(workplace.folder, { recursive: true, force: true });
}
