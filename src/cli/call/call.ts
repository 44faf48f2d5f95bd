import { Command } from 'commander';
import { ToolfoldError } from '../../errors.ts';
import type { ServerEntry, ServerPool, ToolfoldConfig } from '../../mcp/index.ts';
import { openServers, PATIENCE, requiredConfig } from '../servers/index.ts';
import type { KnownTool } from '../servers/known-tools/index.ts';
import { type CommandContext, configFlag, exitCode, path, seconds } from '../terminal/index.ts';
import { checkedArguments, parsedArguments } from './arguments.ts';
import { callTool } from './call-tool.ts';
import { addressedServers, resolveTool } from './resolve.ts';
import { printResult } from './result.ts';

interface CallOptions {
  readonly config?: string;
  readonly arg?: readonly string[];
  readonly out: string;
  readonly json?: true;
  readonly timeout?: number;
  readonly force?: true;
  readonly verbose?: true;
}

/** Milliseconds for a server to start and list its tools. An entry may say otherwise. */
const START_TIME = 30_000;

const afterHelp = `
NAME is canonical (server__tool), server/tool, or the bare name of a tool that only one server has.
Only that server is started; for a bare name also servers whose tools are not known yet.
The arguments are a JSON object: the argument, stdin for - or where stdin is no terminal, or --arg.
--arg reads a value by the tool's schema: text, a number, true or false, JSON for objects and lists.

stdout gets the text of the result, else its structured content as JSON, else the paths of its files.
Pictures, audio and other data become files in --out; no file is overwritten. All else goes to stderr.
On a terminal, control characters are removed from the text.

You call the tool yourself, so nobody is asked for approval. But a tool that the settings or its server
hide from models runs only with --force: scripts and agents run this command too, and hiding says that
they should not.

Examples:
  toolfold call github__get_issue '{ "number": 7 }'
  toolfold call github/create_issue --arg title="It breaks" --arg labels=bug --arg labels=new
  echo '{ "path": "." }' | toolfold call list_directory | head

Exit codes:
  0  the tool answered
  1  the tool answered with an error, or its server cannot be used
  2  wrong use or configuration: an unknown or hidden tool, arguments that its schema refuses
  6  no answer within --timeout; the call was cancelled`;

/** `toolfold call`: calls one tool of one server. */
export function callCommand(context: CommandContext): Command {
  return new Command('call')
    .description('Calls a tool of an MCP server, and prints its result.')
    .argument('<name>', 'the tool: server__tool, server/tool or a bare name')
    .argument('[json]', 'its arguments as a JSON object; - for stdin')
    .addOption(configFlag())
    .option('--arg <name=value>', 'an argument; repeat it for others', collect)
    .option('--out <dir>', 'the folder for pictures, audio and other data', path, '.')
    .option('--json', 'print the result as received, as one line of JSON')
    .option('--timeout <seconds>', 'cancel the call after this time', seconds)
    .option('--force', 'call the tool although it is hidden from models')
    .option('--verbose', 'write to stderr how the server starts')
    .addHelpText('after', afterHelp)
    .action((name: string, text: string | undefined, options: CallOptions) =>
      call(name, text, options, context),
    );
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

async function call(
  name: string,
  text: string | undefined,
  options: CallOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, streams, signal } = context;
  const given = { text, pairs: options.arg ?? [], stdin: streams.stdin, signal };
  // Wrong JSON is reported before any server starts.
  const parsed = await parsedArguments(given);
  const config = await requiredConfig(options.config, terminal.note);
  const isAddressed = addressedServers(name, config.servers.keys()).length > 0;
  const { pool } = await openServers(withCallTime(config, options.timeout), context, {
    starts: isAddressed ? 'none' : 'missing',
    timeout: START_TIME,
    patience: PATIENCE,
    verbose: options.verbose === true,
  });
  try {
    const tool = await resolveTool(name, pool, config, context);
    if (!options.force) checkVisible(tool);
    const input = await checkedArguments(tool, parsed, given, terminal);
    await run(tool, input, pool, options, context);
  } finally {
    await pool.close();
  }
}

/** The time limit of the command replaces those of the entries. */
function withCallTime(config: ToolfoldConfig, timeout: number | undefined): ToolfoldConfig {
  if (timeout === undefined) return config;
  const withTime = (entry: ServerEntry): ServerEntry => {
    if (entry.kind === 'unusable') return entry;
    const { toolTimeouts: _, ...lifecycle } = entry.lifecycle ?? {};
    return { ...entry, lifecycle: { ...lifecycle, callTimeout: Number.POSITIVE_INFINITY } };
  };
  const servers = [...config.servers].map(([name, entry]) => [name, withTime(entry)] as const);
  return { ...config, servers: new Map(servers) };
}

function checkVisible({ name, hidden }: KnownTool): void {
  if (hidden === undefined) return;
  throw new ToolfoldError(
    'invalid-option',
    `${name} is hidden from models: ${hidden}. It was not called.`,
    'Add --force if you want to call it.',
  );
}

async function run(
  tool: KnownTool,
  input: Readonly<Record<string, unknown>>,
  pool: ServerPool,
  options: CallOptions,
  context: CommandContext,
): Promise<void> {
  const outcome = await callTool(tool, input, { pool, timeout: options.timeout, context });
  if (outcome.kind === 'failed') {
    context.terminal.note(`toolfold: ${outcome.message}`);
    context.exitWith(outcome.isLate ? exitCode.timedOut : exitCode.failed);
    return;
  }
  const { out, json = false } = options;
  const printed = { name: tool.name, out, json };
  await context.unwritten.during(() => printResult(outcome.result, printed, context));
}
