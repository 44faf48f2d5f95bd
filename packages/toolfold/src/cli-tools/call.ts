import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { CallHost, ToolProgress } from '@toolfold/core/internal/tool';
import { asSentence } from '@toolfold/core/internal/values';
import type { ServerEntry, ToolfoldConfig } from '@toolfold/mcp/internal/config';
import { idleRules, type KnownTool } from '@toolfold/mcp/internal/known-tools.ts';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import { Command } from 'commander';
import {
  addressedServers,
  type ListedOptions,
  type ListedServers,
  openListed,
  stdioFlag,
  trustHost,
} from '../servers/index.ts';
import { progressWords } from '../shown/index.ts';
import {
  askLine,
  type CommandContext,
  canAsk,
  configFlag,
  exitCode,
  oneLine,
  path,
  RunNotes,
  seconds,
  timeLeft,
  usageError,
} from '../terminal/index.ts';
import { checkedArguments, parsedArguments } from './call-arguments.ts';
import { printResult } from './call-result.ts';
import { readTarget, resolveTool, serversFor } from './call-target.ts';

interface CallCommandOptions {
  readonly config?: string;
  readonly stdio?: string;
  readonly arg?: readonly string[];
  readonly out: string;
  readonly json?: true;
  readonly timeout?: number;
  readonly force?: true;
  readonly verbose?: true;
}

const afterHelp = `
TOOL is server.tool, server/tool, server__tool as list prints it, two words, or the bare name of a tool
that only one server has. Only that server is started; for a bare name that no list has yet, all servers
without a list get two seconds. Instead of a server of the configuration: its address, or --stdio.

Arguments are name=value, with the type that the tool's schema says (text, a number, true or false, JSON
for objects; repeat a list's name for its items), or name:=json. Or all of them are one JSON object: the
first argument, or stdin for - or where stdin is no terminal.

stdout gets the text of the result, else its structured content as JSON, else the paths of its files.
Pictures, audio and other data become files in --out; no file is overwritten. All else goes to stderr.
On a terminal, control characters are removed from the text, and you are asked what the server asks.

You call the tool yourself, so nobody is asked for approval. But a tool that the settings or its server
hide from models runs only with --force: scripts and agents run this command too, and hiding says that
they should not.

Examples:
  toolfold call github.create_issue title="It breaks" labels=bug labels=new
  toolfold call github.create_issue title=Plan options:='{ "draft": true }'
  toolfold call github__get_issue '{ "number": 7 }'
  toolfold call --stdio 'node server.js' some_tool path=.
  toolfold call https://example.com/mcp some_tool
  echo '{ "path": "." }' | toolfold call list_directory | head

Exit codes:
  0  the tool answered
  1  the tool answered with an error, or its server cannot be used
  2  wrong use or configuration: an unknown or hidden tool, arguments that its schema refuses
  6  no answer within --timeout; the call was cancelled
  7  its server is not trusted (toolfold trust)`;

/** `toolfold call`: calls one tool of one server. */
export function callCommand(context: CommandContext): Command {
  return new Command('call')
    .description('Calls a tool of an MCP server, and prints its result.')
    .argument('<tool>', 'the tool: server.tool, server/tool, server__tool or a bare name')
    .argument('[arguments...]', 'its arguments: name=value, name:=json, or one JSON object')
    .addOption(configFlag())
    .addOption(stdioFlag())
    .option('--arg <name=value>', 'an argument; repeat it for others', collect)
    .option('--out <dir>', 'the folder for pictures, audio and other data', path, '.')
    .option('--json', 'print the result as received, as one line of JSON')
    .option('--timeout <seconds>', 'time for the command; then the call is cancelled', seconds)
    .option('--force', 'call the tool although it is hidden from models')
    .option('--verbose', 'write to stderr how the server starts')
    .addHelpText('after', afterHelp)
    .action((name: string, words: string[], options: CallCommandOptions) =>
      call(name, words, options, context),
    );
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

async function call(
  first: string,
  rest: readonly string[],
  options: CallCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { timeout, verbose = false } = options;
  const { terminal, streams } = context;
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeLeft(timeout, context));
  const signal = late ? AbortSignal.any([context.signal, late]) : context.signal;
  const until = { ...context, signal };
  let called: string | undefined;
  /** What a call that is not sent yet waits for. */
  let lacks = 'its arguments were not there';
  try {
    const { name, words, config, isAdHoc } = await readTarget(
      first,
      rest,
      options,
      trustHost(context),
    );
    const given = { words, named: options.arg ?? [], stdin: streams.stdin, signal };
    // Wrong arguments are reported before any server starts.
    const parsed = await parsedArguments(given);
    const questions = canAsk(streams) ? await questionsOn(until) : undefined;
    const requests = questions && { elicitation: 'url' as const };
    const timed = withCallTime(config, timeout);
    lacks = 'its server was not ready';
    await using opened = await openFor(name, timed, { verbose, isAdHoc, requests }, until);
    const { servers, pool } = opened;
    const tool = await resolveTool(name, servers, { pool, config }, until, (server) => {
      lacks = `${server} was not ready`;
    });
    for (const [, line] of idleRules(pool, config)) terminal.note(line);
    if (!options.force) checkVisible(tool);
    lacks = 'its arguments were not there';
    const input = await checkedArguments(tool, parsed, given, terminal);
    called = tool.name;
    const outcome = await callTool(tool, input, { pool, context: until, questions });
    if ('failure' in outcome) {
      terminal.note(`toolfold: ${outcome.failure}`);
      context.exitWith(exitCode.failed);
      return;
    }
    const { result } = outcome;
    const shown = { ...options, name: called };
    await context.unwritten.during(() => printResult(result, shown, context));
  } catch (error) {
    if (timeout === undefined || error !== late?.reason) throw error;
    const time = `within ${timeout.toLocaleString('en-US')} s`;
    terminal.note(
      called === undefined
        ? `toolfold: ${first} was not called: ${lacks} ${time}.`
        : `toolfold: ${called} did not answer ${time} and was cancelled. It may or may not have taken effect.`,
    );
    context.exitWith(exitCode.timedOut);
  }
}

/** The servers of a call. `servers`: those that the name may mean, in the order in which they are tried. */
type CallServers = ListedServers & { readonly servers: readonly string[] };

/**
 * Opens the servers that the name may mean, without starting any. For a bare name that no list has, opens
 * all, and starts those without a list.
 */
async function openFor(
  name: string,
  config: ToolfoldConfig,
  { requests, ...options }: Pick<ListedOptions, 'verbose' | 'requests' | 'isAdHoc'>,
  context: CommandContext,
): Promise<CallServers> {
  const addressed = addressedServers(name, config.servers.keys());
  const named = addressed.length > 0 ? addressed : undefined;
  const look = async (starts: 'none' | 'missing'): Promise<CallServers> => {
    const opened = await openListed(config, context, { ...options, named, starts });
    try {
      return { ...opened, servers: serversFor(name, { pool: opened.pool, config }) };
    } catch (error) {
      await opened.close();
      throw error;
    }
  };
  let found = await look('none');
  if (found.servers.length === 0) {
    await found.close();
    found = await look('missing');
  }
  const { servers } = found;
  if (requests === undefined || servers.length === 0) return found;
  await found.close();
  // Names are those that `list` shows. The server may list more for a host that can be asked.
  const asking = { ...options, requests, named: servers, starts: 'none' as const };
  return { ...(await openListed(config, context, asking)), servers };
}

/** The time limit of the command replaces those of the entries. */
function withCallTime(config: ToolfoldConfig, timeout: number | undefined): ToolfoldConfig {
  if (timeout === undefined) return config;
  const withTime = (entry: ServerEntry): ServerEntry => {
    if (entry.kind === 'unusable') return entry;
    const { toolTimeouts: _, ...lifecycle } = entry.lifecycle ?? {};
    const without = {
      callTimeout: Number.POSITIVE_INFINITY,
      maxCallTime: Number.POSITIVE_INFINITY,
    };
    return { ...entry, lifecycle: { ...lifecycle, ...without } };
  };
  const servers = [...config.servers].map(([name, entry]) => [name, withTime(entry)] as const);
  return { ...config, servers: new Map(servers) };
}

function checkVisible({ name, hidden }: KnownTool): void {
  if (hidden === undefined) return;
  throw usageError(
    `${name} is hidden from models: ${hidden}. It was not called.`,
    'Add --force if you want to call it.',
  );
}

const MAX_MESSAGE = 200;

/** The answer of a tool, or why there is none. A result that is an error is an answer. */
type CommandOutcome = { readonly result: unknown } | { readonly failure: string };

/** Asks the user what the server of a call wants to know. */
interface CallQuestions {
  readonly elicit: (tool: string) => NonNullable<CallHost['elicit']>;
  /** Replaces the line of progress. Nothing is shown during a question. */
  readonly progress: (line: string) => void;
}

interface CallSettings {
  readonly pool: ServerPool;
  readonly context: CommandContext;
  /** Undefined if nobody can be asked. */
  readonly questions: CallQuestions | undefined;
}

/**
 * Calls a tool, and shows its progress. Rejects only with the reason of the context's signal: the
 * server then hears that the call is cancelled.
 */
async function callTool(
  tool: KnownTool,
  input: Readonly<Record<string, unknown>>,
  { pool, context: { terminal, signal }, questions }: CallSettings,
): Promise<CommandOutcome> {
  const connection = pool.connection(tool.server);
  const overwrite = terminal.isInteractive ? terminal.overwrite : () => {};
  const show = questions?.progress ?? overwrite;
  const host: CallHost = {
    ...(terminal.isInteractive && {
      onProgress: (progress) => show(`${tool.name}: ${progressText(progress)}`),
    }),
    ...(questions && { elicit: questions.elicit(tool.name) }),
  };
  try {
    show(`Calling ${tool.name}`);
    const result = await connection?.callTool(tool.listed, input, {
      signal,
      ...(Object.keys(host).length > 0 ? { host } : {}),
    });
    return { result };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolfoldError) return { failure: error.message };
    return { failure: asSentence(`${tool.name} failed: ${errorMessage(error)}`) };
  } finally {
    show('');
  }
}

/** `3 of 10, reading`, as far as it is known. */
export function progressText({ message, ...amount }: ToolProgress): string {
  const text = typeof message === 'string' ? oneLine(message, MAX_MESSAGE) : '';
  return progressWords({ ...amount, message: text });
}

/** Questions on the terminal. The code for them is loaded only there. */
async function questionsOn(context: CommandContext): Promise<CallQuestions> {
  const { terminal, streams, signal } = context;
  const { byStep, elicitationAnswer, elicitationQuestion } = await import('../questions/index.ts');
  const notes = new RunNotes(terminal.note, terminal.overwrite);
  const ask = byStep({
    show: notes.now,
    askLine: (question, stop) => askLine(question, stop, streams),
  });
  return {
    elicit:
      (name) =>
      ({ signal: asked, ...request }) =>
        notes.during(async () => {
          const stop = AbortSignal.any([signal, asked]);
          stop.throwIfAborted();
          return elicitationAnswer(await ask(elicitationQuestion({ ...request, name }), stop));
        }),
    progress: notes.progress,
  };
}
