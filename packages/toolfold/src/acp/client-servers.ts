import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@agentclientprotocol/sdk';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import { entrySecrets } from '@toolfold/mcp/internal/entry-secrets.ts';
import type { Opened } from '../conversations/index.ts';
import { isReadable, keepTrust, loadConfig, trustQuestion } from '../servers/index.ts';
import type { AgentFlags } from '../terminal/index.ts';
import type { Host } from './outlet.ts';

/** The servers of a session by name, and what the user should know about them. */
interface MergedServers {
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

/** A session in whose folder entries are not trusted. */
export interface TrustOffer {
  readonly id: string;
  /** Without links. */
  readonly folder: string;
  readonly host: Host;
  readonly opened: Opened;
  /** Adds the servers of the editor, which need no question. */
  readonly add: (configured: ReadonlyMap<string, ServerEntry>) => ReadonlyMap<string, ServerEntry>;
  readonly note: (line: string) => void;
}

/**
 * Asks the editor about entries of the project's files that are not trusted, once the session is known there. They
 * start only after an explicit yes; only "always" is kept for other sessions. Settings of the block take effect in
 * the sessions that are opened later. Never rejects.
 */
export async function offerTrust(offer: TrustOffer): Promise<void> {
  const { id: sessionId, folder, host, opened, add, note } = offer;
  const entries = opened.set.untrusted.filter(isReadable);
  if (entries.length === 0) return;
  try {
    const { outcome } = await host.client.askPermission(
      {
        sessionId,
        toolCall: {
          ...{ toolCallId: `trust-${sessionId}`, title: 'Trust the MCP servers of this folder' },
          ...{ kind: 'other', status: 'pending' },
          content: [
            {
              type: 'content',
              content: { type: 'text', text: fenced(trustQuestion(entries, folder)) },
            },
          ],
        },
        options: [
          { optionId: 'reject', name: 'No', kind: 'reject_once' },
          { optionId: 'once', name: 'Only in this session', kind: 'allow_once' },
          { optionId: 'always', name: 'Yes, in this folder', kind: 'allow_always' },
        ],
      },
      host.signal,
    );
    const choice = outcome.outcome === 'selected' ? outcome.optionId : 'reject';
    if (choice !== 'once' && choice !== 'always') return;
    if (choice === 'always') keepTrust(entries, folder, note);
    const agreed = new Set(entries.map(({ hash }) => hash));
    const flags = flagsIn(folder, host.flags);
    const { config } = await loadConfig(
      flags.config,
      { note: () => {}, agreed },
      folder,
      flags.projectConfig,
    );
    await opened.pool.update({
      servers: add(config?.servers ?? new Map()),
      settings: opened.set.settings,
    });
  } catch (error) {
    note(`The servers of this folder were not started: ${errorMessage(error)}`);
  }
}

/** Markdown would hide parts of the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/**
 * The flags in the folder of a session. One command line stands for all sessions: a relative `--config` names a file of
 * each folder, and the user has not seen them all.
 */
export function flagsIn<FLAGS extends AgentFlags>(folder: string, flags: FLAGS): FLAGS {
  const { config } = flags;
  if (config === undefined || isAbsolute(config)) return flags;
  return { ...flags, config: undefined, projectConfig: resolve(folder, config) };
}
