import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, ownProperty } from '@toolfold/core/internal/tools/values';
import { Gateway, GRACE, type Mode, serveHttp, serveStreams } from '@toolfold/mcp/internal/gateway';
import { followConfig, manifestFiles, type ToolfoldConfig } from '@toolfold/mcp/internal/mcp';
import { Command, Option } from 'commander';
import { loadConfig, requiredConfig, useProxies } from '../../app/servers/index.ts';
import {
  budget,
  type CommandContext,
  configFlag,
  exitCode,
  formatCount,
  path,
  usageError,
} from '../../app/terminal/index.ts';
import { type HttpAddress, httpAddress } from './http-address.ts';
import { markServers, withoutItself } from './own-entry.ts';

interface ServeOptions {
  readonly config?: string;
  readonly mode?: Mode;
  readonly budget?: number;
  readonly http?: string;
  readonly tokenFile?: string;
  readonly check: boolean;
}

const MODES: readonly Mode[] = ['bridge', 'dispatch', 'eager', 'passthrough'];

const afterHelp = `
Modes:
  bridge       tools to search, describe and call the others; a catalog of their names
  dispatch     tools to load groups and to call; a catalog of their names
  eager        every tool with its schema
  passthrough  one server, as it is

Put it into the configuration of a client:
  { "mcpServers": { "toolfold": { "command": "npx", "args": ["toolfold", "serve", "--config", "/path/to/mcp.json"] } } }

Exit codes:
  0  the client has gone
  2  wrong use or configuration`;

/** `toolfold serve`: one MCP server in front of all servers of a configuration. */
export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('Serves all MCP servers of a configuration as one MCP server.')
    .addOption(configFlag())
    .addOption(new Option('--mode <mode>', 'how the tools are presented').choices(MODES))
    .option('--budget <tokens>', 'the most tokens of the catalog, or none', budget)
    .option('--http <address>', 'serve over HTTP on [HOST:]PORT, and not on stdin and stdout')
    .option('--token-file <file>', 'the bearer token for --http (or TOOLFOLD_SERVE_TOKEN)', path)
    .option('--no-check', 'do not check the arguments of calls through a bridge')
    .addHelpText('after', afterHelp)
    .action((options: ServeOptions) => serve(options, context));
}

async function serve(options: ServeOptions, context: CommandContext): Promise<void> {
  const { terminal, signal, streams } = context;
  const { note } = terminal;
  // Reading a thousand schemas would make young memory grow for good: 40 MB that a gateway never needs again.
  setFlagsFromString('--semi-space-growth-factor=1');
  const address =
    options.http === undefined
      ? undefined
      : await httpAddress(options.http, options.tokenFile, process.env);
  const given = await requiredConfig(options.config, { note });
  const config = withoutItself(given, address?.port);
  const mode = modeOf(options, config);
  checkServers(config, mode);
  markServers(config.file);
  useProxies(config.servers, note);
  const gateway = new Gateway(config, {
    mode,
    budget: options.budget,
    check: options.check,
    manifests: manifestFiles({ onWarning: note }),
    log: note,
  });
  const passed = mode === 'passthrough' ? onlyServer(config, note) : (next: ToolfoldConfig) => next;
  const unfollow = followConfig(gateway, {
    files: [config.file],
    load: async () => {
      // A file that was found is not named: a changed entry needs another yes.
      const { config: next } = await loadConfig(options.config, { note });
      const taken = passed(withoutItself(next ?? config, address?.port));
      const other = modeOf(options, taken);
      if (other !== mode) note(`The mode stays ${mode}. Start the gateway again for ${other}.`);
      return taken;
    },
    onProblem: (error) => note(`The configuration was not taken: ${errorMessage(error)}`),
    onUpdate: () => note('The configuration has changed.'),
  });
  try {
    if (address) await serveUntil(gateway, address, context);
    else await serveStreams(gateway, streams.stdin, streams.stdout, signal);
  } finally {
    unfollow();
    await gateway.close();
  }
  context.exitWith(exitCode.ok);
}

function checkServers({ servers }: ToolfoldConfig, mode: Mode): void {
  if (mode !== 'passthrough' || servers.size === 1) return;
  throw usageError(manyServers(servers.size), 'Choose another mode.');
}

/**
 * What `passthrough` takes of each new configuration. It serves no server that is not there any more. Where there are
 * several, it serves the one that it had.
 */
function onlyServer(
  { servers: given }: ToolfoldConfig,
  note: (text: string) => void,
): (next: ToolfoldConfig) => ToolfoldConfig {
  let name = [...given.keys()][0];
  return (next) => {
    const { servers } = next;
    if (servers.size > 1) {
      const kept = [...servers].filter(([other]) => other === name);
      const what = kept.length > 0 ? `Only ${name} is served.` : 'No server is served.';
      note(`${manyServers(servers.size)} ${what}`);
      return { ...next, servers: new Map(kept) };
    }
    name = [...servers.keys()][0] ?? name;
    return next;
  };
}

function manyServers(count: number): string {
  return `The mode passthrough is for one server, and the configuration has ${formatCount(count, 'server')}.`;
}

/** Listens until the command is stopped. */
async function serveUntil(
  gateway: Gateway,
  address: HttpAddress,
  { terminal, signal, allowStopTime }: CommandContext,
): Promise<void> {
  allowStopTime?.(GRACE);
  const health = (): JsonObject => gateway.health();
  const options = { ...address, schemaOf: gateway.schemaOf, health };
  const server = await serveHttp(gateway, options).catch((error: unknown) => {
    throw notListening(error, address);
  });
  terminal.note(`Listening on ${server.url}`);
  if (!signal.aborted) await once(signal, 'abort');
  await server.close();
}

/** The mode of the command line, of the settings, or for the strategy of the settings. */
function modeOf({ mode }: ServeOptions, { settings }: ToolfoldConfig): Mode {
  const { serve: own, strategy } = settings ?? {};
  const given = mode ?? own?.mode;
  if (given !== undefined) return given;
  if (strategy === 'eager' || strategy === false) return 'eager';
  return strategy === 'dispatch' ? 'dispatch' : 'bridge';
}

/** Says that a port is taken. */
function notListening(error: unknown, { port }: HttpAddress): unknown {
  if (ownProperty(error, 'code') !== 'EADDRINUSE') return error;
  return usageError(`The port ${port} is taken.`, 'Give another [HOST:]PORT. 0 is a free port.');
}
