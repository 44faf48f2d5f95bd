import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { readNamed } from '@toolfold/config/internal/files';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { hashText } from '@toolfold/core/internal/tool';
import { formatCount, type JsonObject, ownProperty } from '@toolfold/core/internal/values';
import type { ServerEntry, ToolfoldConfig } from '@toolfold/mcp/internal/config';
import { Gateway } from '@toolfold/mcp/internal/gateway';
import { GRACE, isLoopback, serveHttp, serveStreams } from '@toolfold/mcp/internal/gateway-clients';
import type { Mode } from '@toolfold/mcp/internal/gateway-lists';
import { followConfig } from '@toolfold/mcp/internal/pool';
import { manifestFiles } from '@toolfold/mcp/internal/server';
import { Command, Option } from 'commander';
import { loadConfig, requiredConfig, useProxies } from '../servers/index.ts';
import {
  budget,
  type CommandContext,
  configFlag,
  exitCode,
  path,
  realPath,
  unreadable,
  usageError,
} from '../terminal/index.ts';

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
  { "mcpServers": { "toolfold": { "command": "npx", "args": ["--no-install", "toolfold", "serve", "--config", "/path/to/mcp.json"] } } }

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

/** Where to listen, and the token that each request needs. */
interface HttpAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** The variable with the token. */
const VARIABLE = 'TOOLFOLD_SERVE_TOKEN';

/** Minimum characters of a token. */
const MIN_TOKEN = 16;

/** Reads `[HOST:]PORT` and the token. Beyond this machine a token is needed. */
async function httpAddress(
  text: string,
  tokenFile: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpAddress> {
  const [, given, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw usageError(`"${text}" is not a port or an address.`, 'Expected [HOST:]PORT.');
  const host = (given ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  const token = tokenFile === undefined ? env[VARIABLE] : await readToken(tokenFile);
  if (token !== undefined && token.length < MIN_TOKEN)
    throw usageError(
      `The token has fewer than ${MIN_TOKEN} characters.`,
      'Make one with: openssl rand -hex 32',
    );
  if (token === undefined && !isLoopback(host))
    throw usageError(
      `Other machines reach ${host}, so a token is needed.`,
      `Set the variable ${VARIABLE}, or give --token-file.`,
    );
  return { host, port, token };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readNamed(file)).trim();
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The entry that takes the place of one that starts this very gateway. */
const REFUSED: ServerEntry = {
  kind: 'unusable',
  reason: 'it is this gateway itself',
  remedy: 'Remove its entry, or give the gateway a configuration of its own with --config.',
};

/** The configuration with entries that would start the gateway in itself made unusable. `port`: where it listens. */
function withoutItself(config: ToolfoldConfig, port: number | undefined): ToolfoldConfig {
  const entries = [...config.servers].map(([name, entry]) => {
    const isOwn = startsItself(entry, config.file) || isAt(entry, port);
    return [name, isOwn ? REFUSED : entry] as const;
  });
  return { ...config, servers: new Map(entries) };
}

/** The variable with the gateways that started this process, outermost first, each by its configuration. */
const STARTED_BY = 'TOOLFOLD_SERVING';

/** Notes for the servers that this gateway starts them. Throws if one of them has started this gateway. */
function markServers(file: string): void {
  const own = hashText(realPath(file), 16);
  const above = process.env[STARTED_BY]?.split(',') ?? [];
  if (above.includes(own))
    throw usageError(
      'This gateway was started by itself, through another gateway.',
      'Remove it from the configuration of the other gateway, or the other way round.',
    );
  process.env[STARTED_BY] = [...above, own].join(',');
}

function startsItself(entry: ServerEntry, file: string): boolean {
  if (entry.kind !== 'stdio') return false;
  const words = [entry.command, ...entry.args].flatMap((word) => word.split(/\s+/));
  const at = words.findIndex((word) => /^toolfold(\.(js|cmd|mjs))?(@.*)?$/.test(basename(word)));
  const serve = words.indexOf('serve', at + 1);
  if (at < 0 || serve < 0) return false;
  const given = words.slice(serve).flatMap((word, index, all) => {
    if (word.startsWith('--config=')) return word.slice('--config='.length);
    return word === '--config' ? (all[index + 1] ?? []) : [];
  })[0];
  // Without a file it finds the same one as this gateway did.
  return given === undefined || realPath(resolve(entry.cwd ?? '.', given)) === realPath(file);
}

function isAt(entry: ServerEntry, port: number | undefined): boolean {
  if (port === undefined || (entry.kind !== 'http' && entry.kind !== 'sse')) return false;
  const url = new URL(entry.url);
  return Number(url.port) === port && isLoopback(url.hostname);
}
