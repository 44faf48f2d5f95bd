import { isAbsolute, resolve } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { ServerEntry } from '@toolfold/mcp/internal/mcp';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { Opened } from '../../app/conversations/index.ts';
import { isReadable, keepTrust, loadConfig, trustQuestion } from '../../app/servers/index.ts';
import type { Host } from './host.ts';

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
