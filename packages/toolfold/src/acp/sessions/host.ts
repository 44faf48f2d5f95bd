import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { Keys } from '../../app/models/index.ts';
import type { Terminal } from '../../app/terminal/index.ts';

/** The editor at the other end. */
export interface EditorClient {
  /** What it has said that it can show and ask. */
  capabilities: ClientCapabilities;
  /** Sends an update. Resolves when it is written. Rejects when the connection is closed. */
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  /** Asks the user. Rejects when the signal fires, and if the editor cannot ask. */
  askPermission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** Asks the user for what a server wants to know. Rejects as `askPermission`. */
  elicit(
    request: CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<CreateElicitationResponse>;
}

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
