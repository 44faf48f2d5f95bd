import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readNamed, writePrivate } from '@toolfold/config/internal/files';
import { connectionFailed, errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type DeferredToolGroup, hashText } from '@toolfold/core/internal/tool';
import { byCodePoint, type JsonObject, ownProperty } from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import { keptListing, type ServerListing } from '../connection/index.ts';
import { namesUser, splitSecret } from '../entry-secrets.ts';
import { redactValue } from '../redact.ts';
import {
  type ServerConnection,
  type ServerStatus,
  statusOf,
  toGroup,
  toUnavailableGroup,
} from '../server/index.ts';

/** Captured tool lists as status rows and groups. The tools of the groups can be read but not run. */
export interface Captures {
  readonly servers: readonly ServerStatus[];
  readonly groups: readonly DeferredToolGroup[];
  /** The captured lists by server. */
  readonly connections: readonly Pick<ServerConnection, 'name' | 'listing'>[];
}

/**
 * Reads every `*.json` file of a folder as the captured tool list of one server. Starts no server. A
 * malformed file becomes a failed row. Throws `invalid-option` if the folder cannot be read.
 */
export async function readCaptures(directory: string): Promise<Captures> {
  const files = await readdir(directory).catch((error: unknown) => {
    const message = `The folder ${directory} cannot be read: ${errorMessage(error)}.`;
    const hint = 'Give a folder of captured tool lists, one JSON file per server.';
    throw new ToolfoldError('invalid-option', message, hint, error);
  });
  const servers: ServerStatus[] = [];
  const groups: DeferredToolGroup[] = [];
  const connections: { name: string; listing: ServerListing }[] = [];
  const taken = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('.json')).sort(byCodePoint)) {
    const started = performance.now();
    const capture = await readCapture(join(directory, file));
    const ms = performance.now() - started;
    const first = taken.get(capture.name);
    // If two files name the same server, the second gets its file name as its name.
    const name = first === undefined ? capture.name : file;
    taken.set(name, file);
    if ('problem' in capture || first !== undefined) {
      const reason = 'problem' in capture ? capture.problem : `${first} holds the same server`;
      const failure = { reason, remedy: `Correct or remove ${file}.` };
      servers.push({ name, state: 'failed', ...failure, tools: 0, ms: Math.round(ms) });
      groups.push(toUnavailableGroup(name, failure));
    } else {
      const state = { kind: 'ready' } as const;
      servers.push(statusOf({ name, state, manifest: capture, startedIn: ms }));
      groups.push(toGroup(name, capture.listing, {}));
      connections.push({ name, listing: capture.listing });
    }
  }
  return { servers, groups, connections };
}

type Capture =
  | { readonly name: string; readonly listing: ServerListing }
  | { readonly name: string; readonly problem: string };

async function readCapture(file: string): Promise<Capture> {
  const fileName = basename(file, '.json');
  let value: unknown;
  try {
    value = JSON.parse(await readNamed(file));
  } catch (error) {
    return { name: fileName, problem: `its file cannot be read (${errorMessage(error)})` };
  }
  const server = ownProperty(value, 'server');
  const name = typeof server === 'string' ? server : fileName;
  const listing = keptListing(value);
  return listing ? { name, listing } : { name, problem: 'its file has no list of tools' };
}

/**
 * Writes the listing of a ready server to `<server>.json` in the folder and returns the file's path.
 * Replaces environment values, and arguments that are named like a key, by dummies. Redacts all secrets
 * of the server's entry, in keys and values and in every form (`ServerEntry.secrets`). Throws
 * `connection-failed` if the server has not listed its tools, and `invalid-option` if the file cannot be written.
 */
export async function saveCapture(
  directory: string,
  connection: Pick<ServerConnection, 'name' | 'entry' | 'listing'>,
): Promise<string> {
  const { name, entry, listing } = connection;
  if (listing === undefined) {
    throw connectionFailed(
      `The MCP server ${name} has not listed its tools.`,
      'Wait until its state is `ready`, then save it.',
    );
  }
  const { protocolVersion, serverInfo, capabilities, instructions, tools } = listing;
  const version = ownProperty(serverInfo, 'version');
  const listed = { protocolVersion, serverInfo, capabilities, instructions, tools: [...tools] };
  const capture = { version, start: startOf(entry), ...listed };
  const secrets = entry.kind === 'unusable' ? [] : entry.secrets;
  // The name is the user's own and is not redacted, because the file is read back under it.
  const clean = { server: name, ...redactValue(capture, secrets) };
  const file = join(directory, fileNameFor(name));
  try {
    // A link of this name is replaced, and what it leads to stays.
    await writePrivate(file, `${JSON.stringify(clean, null, 2)}\n`);
  } catch (error) {
    const message = `${file} cannot be written: ${errorMessage(error)}.`;
    const hint = 'Give a folder that can be created or written to.';
    throw new ToolfoldError('invalid-option', message, hint, error);
  }
  return file;
}

function startOf(entry: ServerEntry): JsonObject {
  if (entry.kind === 'stdio') {
    return {
      command: entry.command,
      args: withoutKeys(entry.args),
      env: Object.fromEntries([...entry.env.keys()].map((key) => [key, 'dummy'])),
    };
  }
  // Paths and queries of URLs often hold keys.
  return 'url' in entry ? { url: new URL(entry.url).origin } : {};
}

function withoutKeys(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const split = splitSecret(arg, args[index - 1], namesUser(args));
    if (split !== undefined) return `${split.kept}dummy`;
    return arg.replace(/(:\/\/)[^/@\s]+@/, '$1dummy@');
  });
}

/** Maximum bytes of a file name on all file systems, less the extension and a hash. */
const MAX_FILE_NAME = 180;

/** Encodes any name as a file name. Different names never get the same file name. */
function fileNameFor(name: string): string {
  if (name === '') return '%.json';
  // Works by UTF-16 units, because a name may hold lone surrogates.
  const safe = name.replace(/[^\w.-]|^\.+/g, (text) =>
    Array.from({ length: text.length }, (_, at) => escaped(text.charCodeAt(at))).join(''),
  );
  if (safe.length <= MAX_FILE_NAME) return `${safe}.json`;
  return `${safe.slice(0, MAX_FILE_NAME)}%${hashText(safe, 16)}.json`;
}

function escaped(unit: number): string {
  const digits = unit.toString(16);
  return unit < 256 ? `%${digits.padStart(2, '0')}` : `%u${digits.padStart(4, '0')}`;
}
