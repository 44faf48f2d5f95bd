import { basename } from 'node:path';
import { groupSlug } from '@toolfold/core/internal/tool';
import { parseConfig, type ToolfoldConfig } from '@toolfold/mcp/internal/config';
import { groupOf, type KnownTool } from '@toolfold/mcp/internal/known-tools.ts';
import { Option } from 'commander';
import { usageError } from '../terminal/index.ts';

/** What stands between a server and its tool: `github__create_issue`, `github/…`, `github.…`. */
const SEPARATORS = ['__', '/', '.'];

/** The server of this name, as configured or as it is shown in the names of its tools. */
export function namedServer(word: string, servers: Iterable<string>): string | undefined {
  return [...servers].find((server) => spellingsOf(server).includes(word));
}

/** The servers whose tools a word may mean, such as `server.tool`; the longest name first. */
export function addressedServers(word: string, servers: Iterable<string>): string[] {
  return [...servers]
    .filter((server) => prefixesOf(server).some((prefix) => word.startsWith(prefix)))
    .sort((one, other) => other.length - one.length);
}

/** Whether a word is a tool's canonical name, or its server and name with any separator. */
export function isNamed(word: string, { name, server, bare }: KnownTool): boolean {
  return word === name || prefixesOf(server).some((prefix) => word === `${prefix}${bare}`);
}

/** The part of a word behind the name of the server that it addresses; else the whole word. */
export function behindServer(word: string, server: string): string {
  const lengths = prefixesOf(server).map((prefix) => (word.startsWith(prefix) ? prefix.length : 0));
  return word.slice(Math.max(...lengths));
}

function prefixesOf(server: string): string[] {
  return spellingsOf(server).flatMap((spelling) => SEPARATORS.map((mark) => spelling + mark));
}

function spellingsOf(server: string): string[] {
  const groupId = groupOf(server);
  return [server, groupId, groupSlug(groupId)];
}

const RUNNERS = /^(npx|bunx|pnpx|uvx|uv|run|node|bun|deno|python\d?|docker)$/;

/** The flag of the commands that start a server without a configuration. */
export function stdioFlag(): Option {
  const what = 'start this server instead of a configured one; nothing is kept of it';
  return new Option('--stdio <command>', what).conflicts('config');
}

/** Whether a word is the address of a server. */
export function isAddress(word: string): boolean {
  return /^https?:\/\//.test(word);
}

/**
 * The configuration of the one server that the command line gives: a command for `--stdio`, or an address. No
 * file is read, and nothing is kept of the server. Throws `invalid-option` for a command with an open quote.
 */
export function adHocConfig(given: string): ToolfoldConfig {
  const words = isAddress(given) ? [] : wordsOf(given);
  const at = words.findIndex((word) => !/^\w+=/.test(word));
  const [command = '', ...args] = words.slice(at);
  const env = Object.fromEntries(
    words.slice(0, Math.max(0, at)).map((word) => word.split(/=(.*)/s)),
  );
  const entry = isAddress(given) ? { url: given } : { command, args, env };
  const mcpServers = { [nameFor(given, [command, ...args])]: entry };
  const text = JSON.stringify({ mcpServers });
  const variables = { env: process.env, workspaceFolder: process.cwd() };
  return parseConfig('the command line', text, variables);
}

function nameFor(given: string, words: readonly string[]): string {
  const isProgram = (word: string): boolean => !/^-|=/.test(word) && !RUNNERS.test(basename(word));
  const program = basename(words.find(isProgram) ?? words[0] ?? '').replace(/(?<=.)[@.].*$/, '');
  const name = isAddress(given) ? (URL.parse(given)?.hostname ?? '') : program;
  return (
    name
      .replace(/[^A-Za-z0-9-]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 24) || 'server'
  );
}

/** The words of a command, with quotes and backslashes as in a shell. Nothing is expanded. */
function wordsOf(command: string): string[] {
  const word = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
  const rest = command.replace(word, '').trim();
  const words = command.match(word) ?? [];
  if (rest !== '' || words.length === 0)
    throw usageError(
      `${JSON.stringify(command)} is no command.`,
      "Write it as in a shell, in quotes: --stdio 'node server.js'.",
    );
  return words.map((text) =>
    text.replace(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (_, escaped, double, single) => escaped ?? single ?? double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}
