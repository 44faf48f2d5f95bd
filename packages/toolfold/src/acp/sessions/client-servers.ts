import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@agentclientprotocol/sdk';
import type { ServerEntry } from '@toolfold/mcp/internal/mcp';
import { entrySecrets } from '@toolfold/mcp/internal/mcp/secrets';

/** The servers of a session by name, and what the user should know about them. */
export interface MergedServers {
  readonly servers: ReadonlyMap<string, ServerEntry>;
  readonly remarks: readonly string[];
}

/**
 * Adds the servers that an editor gives to those of the configuration. All start in the folder of the
 * session, unless their entry says otherwise. Of two with one name, the configured one keeps it, and the
 * other one gets a suffix. Equal ones become one.
 */
export function withClientServers(
  configured: ReadonlyMap<string, ServerEntry>,
  given: readonly McpServer[],
  folder: string,
): MergedServers {
  const servers = new Map<string, ServerEntry>();
  for (const [name, entry] of configured) servers.set(name, inFolder(entry, folder));
  const remarks: string[] = [];
  for (const server of given) {
    const entry = inFolder(entryOf(server), folder);
    const asked = server.name.trim() === '' ? 'editor' : server.name;
    if (isDeepStrictEqual(servers.get(asked), entry)) continue;
    const name = freeName(asked, servers);
    servers.set(name, entry);
    if (name !== asked)
      remarks.push(
        `There is already a server ${asked}. The one that the editor gives is called ${name}.`,
      );
  }
  return { servers, remarks };
}

function freeName(asked: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(asked)) return asked;
  for (let count = 1; ; count++) {
    const name = `${asked}-editor${count === 1 ? '' : `-${count}`}`;
    if (!taken.has(name)) return name;
  }
}

function inFolder(entry: ServerEntry, folder: string): ServerEntry {
  return entry.kind === 'stdio' && entry.cwd === undefined ? { ...entry, cwd: folder } : entry;
}

/** The entry of a server. Nothing is filled in: the editor has done that. */
function entryOf(server: McpServer): ServerEntry {
  if ('type' in server) {
    const headers = new Map(server.headers.map(({ name, value }) => [name, value]));
    if (!/^https?:$/.test(URL.parse(server.url)?.protocol ?? ''))
      return unusable('its url is not an http or https address');
    if (!areHeaders(headers)) return unusable('a header has characters that HTTP does not allow');
    const secrets = entrySecrets({ headers, url: server.url });
    return { kind: server.type, url: server.url, headers, secrets };
  }
  const { command, args } = server;
  const env = new Map(server.env.map(({ name, value }) => [name, value]));
  if (command.trim() === '') return unusable('its command is empty');
  if ([command, ...args, ...env.values()].some((text) => text.includes('\0')))
    return unusable('its command, an argument or a variable has a NUL character');
  if ([...env.keys()].some((name) => name === '' || /[=\0]/.test(name)))
    return unusable('a variable has a name that no variable can have');
  const secrets = entrySecrets({ values: env, args: [command, ...args] });
  return { kind: 'stdio', command, args, env, secrets };
}

function unusable(reason: string): ServerEntry {
  return { kind: 'unusable', reason, remedy: "Correct it in the editor's settings." };
}

function areHeaders(headers: ReadonlyMap<string, string>): boolean {
  try {
    new Headers([...headers]);
    return true;
  } catch {
    return false;
  }
}
