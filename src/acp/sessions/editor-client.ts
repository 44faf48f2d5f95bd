import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { EditorFeatures } from '../updates/index.ts';

/** The editor at the other end. */
export interface EditorClient {
  readonly features: EditorFeatures;
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
