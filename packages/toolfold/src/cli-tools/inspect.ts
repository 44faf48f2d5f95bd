import { stat } from 'node:fs/promises';
import type { StrategySetting } from '@toolfold/config/internal/settings';
import { measure } from '@toolfold/core/internal/estimate.ts';
import { type ModelIdentity, modelFromName } from '@toolfold/core/internal/models';
import { createToolLayer } from '@toolfold/core/internal/session';
import { strategyNames } from '@toolfold/core/internal/tool';
import { pick } from '@toolfold/core/internal/values';
import { readCaptures, saveCapture } from '@toolfold/mcp/internal/pool';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { Command, Option } from 'commander';
import { notTrusted, openServers, requiredConfig, trustHost } from '../servers/index.ts';
import {
  budget,
  type CommandContext,
  catalogsFlag,
  chooseCounter,
  configFlag,
  exitCode,
  json,
  path,
  positiveInteger,
  seconds,
  timeLeft,
  usageError,
  wholeNumber,
} from '../terminal/index.ts';
import {
  estimateModel,
  type Inspected,
  type InspectReport,
  inspectReport,
  inspectText,
  type ModelFlags,
} from './inspect-report.ts';

interface InspectOptions extends ModelFlags {
  readonly config?: string;
  readonly catalogs?: string;
  readonly strategy?: StrategySetting;
  readonly budget?: number;
  readonly json?: true;
  readonly save?: string;
  readonly timeout: number;
  readonly exact?: true;
  readonly verbose?: true;
}

const HINT = 'Give a file with --config, or a folder of captured tool lists with --catalogs.';

const afterHelp = `
Examples:
  toolfold inspect
  toolfold inspect --config .mcp.json --model anthropic/claude-sonnet-4-5
  toolfold inspect --save captures && toolfold inspect --catalogs captures --json

Exit codes:
  0  all servers were ready
  2  wrong use or configuration
  3  some servers were not ready; if none was ready, nothing is compared`;

/** `toolfold inspect`: exit code 3 if some servers were not ready. */
export function inspectCommand(context: CommandContext): Command {
  return new Command('inspect')
    .description(
      'Starts the MCP servers of a configuration, and shows how many tokens their tools take in the first request, with and without deferral.',
    )
    .addOption(configFlag().conflicts('catalogs'))
    .addOption(catalogsFlag().conflicts('save'))
    .option('--context <tokens>', "the model's context window", positiveInteger)
    .addOption(
      new Option('--strategy <name>', 'show only this strategy, and eager').choices(strategyNames),
    )
    .option('--budget <tokens>', "the catalog's limit in tokens; none for no limit", budget)
    .option('--model <provider/name>', 'estimate the cost of a task on this model')
    .option('--turns <n>', 'with --model: requests without deferral (default: 8)', positiveInteger)
    .option('--loads <n>', 'with --model: loads of deferred tools (default: 2)', wholeNumber(0))
    .option(
      '--tools-per-load <n>',
      'with --model: tools in each load (default: 3)',
      positiveInteger,
    )
    .option('--json', 'print the report as JSON')
    .option('--save <dir>', 'write the captured tool lists to this folder', path)
    .option(
      '--timeout <seconds>',
      'time for the servers to start and list their tools',
      seconds,
      30,
    )
    .option('--exact', 'count o200k_base tokens with gpt-tokenizer instead of estimating')
    .option('--verbose', 'write to stderr how each server starts')
    .addHelpText('after', afterHelp)
    .action((options: InspectOptions) => inspect(options, context));
}

async function inspect(options: InspectOptions, context: CommandContext): Promise<void> {
  const identity = modelOf(options);
  const counter = await chooseCounter(options.exact === true);
  const inspected =
    options.catalogs === undefined
      ? await inspectServers(options, context)
      : { source: options.catalogs, ...(await readCaptures(options.catalogs)) };
  if (inspected.servers.length === 0) {
    const hint =
      'Give another file with --config, or a folder of captured tool lists with --catalogs.';
    throw usageError(`There are no servers in ${inspected.source}.`, hint);
  }
  const settings = inspected.config?.settings;
  const layer = createToolLayer({
    groups: inspected.groups,
    countTokens: counter.count,
    strategy: options.strategy ?? settings?.strategy ?? 'auto',
    exposure: settings?.exposure,
    catalog: { ...settings?.catalog, ...pick(options, 'budget') },
  });
  const { signal, terminal, exitWith } = context;
  const contextWindow = options.context;
  const measured = await measure(layer, { contextWindow, signal });
  const counted = { counter: counter.name, contextWindow };
  const allStrategies = inspectReport(inspected, measured, counted);
  const onModel =
    identity && allStrategies.problem === undefined
      ? await estimateModel(layer, identity, options, signal)
      : undefined;
  const isShown = (name: string): boolean =>
    options.strategy === undefined || [options.strategy, 'eager'].includes(name);
  const selected = <T>(rows: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(rows).filter(([name]) => isShown(name)));
  const report: InspectReport = {
    ...allStrategies,
    strategies: selected(allStrategies.strategies),
    ...(onModel && { ...onModel, estimates: selected(onModel.estimates) }),
  };
  terminal.out(options.json ? json(report, 2) : inspectText(report, terminal.style));
  const allReady = report.servers.every(({ state }) => state === 'ready');
  exitWith(allReady ? exitCode.ok : exitCode.notReady);
}

/** The model to estimate for. It is checked before any server starts. */
function modelOf({ model, turns, loads, toolsPerLoad }: InspectOptions): ModelIdentity | undefined {
  if (model !== undefined) return modelFromName(model);
  if ([turns, loads, toolsPerLoad].every((value) => value === undefined)) return;
  throw usageError(
    '--turns, --loads and --tools-per-load describe a task, but no model is given.',
    'Add --model provider/name, or leave these options out.',
  );
}

async function inspectServers(
  options: InspectOptions,
  context: CommandContext,
): Promise<Inspected> {
  const { terminal } = context;
  const config = await requiredConfig(options.config, trustHost(context), HINT);
  if (config.servers.size === 0 && config.untrusted?.[0] !== undefined)
    throw notTrusted(config.untrusted[0], config.file);
  if (options.save !== undefined) await checkFolder(options.save);
  const { timeout, save, verbose } = options;
  const opened = await openServers(config, context, {
    ...{ starts: 'missing', refresh: true, timeout: timeout * 1000, verbose },
    patience: timeLeft(timeout, context),
  });
  await using pool = opened.pool;
  const ready = pool.connections.filter(({ state }) => state.kind === 'ready');
  if (save !== undefined)
    for (const server of ready) terminal.note(`Saved ${await saveCapture(save, server)}`);
  const servers = pool.servers.map((server) => lateRow(server, timeout));
  return { source: config.file, servers, groups: pool.groups, config };
}

function lateRow(server: ServerStatus, timeout: number): ServerStatus {
  if (server.state !== 'connecting' && server.state !== 'idle') return server;
  const reason = `it did not list its tools within ${timeout.toLocaleString('en-US')} s`;
  return { ...server, reason, remedy: 'Set a longer time with --timeout.' };
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return;
  throw usageError(`${path} is not a folder.`, 'Give a folder with --save.');
}
