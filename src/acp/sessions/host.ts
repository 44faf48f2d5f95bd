import type { McpServer } from '@agentclientprotocol/sdk';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { Keys } from '../../app/models/index.ts';
import type { Terminal } from '../../app/terminal/index.ts';
import type { SessionStore } from '../../sessions/index.ts';
import type { EditorClient } from './editor-client.ts';

/** What all sessions of a process share. */
export interface Host {
  readonly store: SessionStore;
  readonly flags: AgentFlags;
  readonly client: EditorClient;
  readonly keys: Keys;
  readonly terminal: Terminal;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
}

/** A session to open. */
export interface SessionRequest {
  readonly id: string;
  /** The folder in which it works: an absolute path. */
  readonly folder: string;
  /** The servers that the editor gives. */
  readonly servers: readonly McpServer[];
  /** Whether the store has it. */
  readonly isStored?: boolean;
}
