import type {
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCall,
} from '@agentclientprotocol/sdk';
import type { AgentEvent } from '@toolfold/agent/internal/events';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import type { RebuiltEvent } from '@toolfold/agent/internal/state';
import type { Keys } from '../models/index.ts';
import { type AgentFlags, oneLine, type Terminal } from '../terminal/index.ts';
import type { ShownCall } from './call-cards.ts';
import { SessionUpdates, userBlocks } from './session-updates.ts';

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

/** Most characters of a remark. */
const MAX_REMARK = 300;

/** What one session sends to the editor. */
export class EditorOutlet {
  readonly #id: string;
  readonly #client: EditorClient;
  readonly #contextWindow: () => number | undefined;
  /** Ids of the calls that the editor has seen. */
  readonly #seen = new Set<string>();
  #updates: SessionUpdates;
  /** Resolves when the editor knows the session. */
  readonly #known = Promise.withResolvers<void>();
  /** The message that stands last in the editor. Undefined behind a call. */
  #last: { readonly kind: string; readonly messageId: unknown } | undefined;

  /** `contextWindow`: tokens of the model's window, if they are known. */
  constructor(id: string, client: EditorClient, contextWindow: () => number | undefined) {
    this.#id = id;
    this.#client = client;
    this.#contextWindow = contextWindow;
    this.#updates = new SessionUpdates(client.capabilities, contextWindow);
  }

  async send(update: SessionUpdate): Promise<void> {
    if (update.sessionUpdate === 'tool_call') {
      this.#seen.add(update.toolCallId);
      this.#last = undefined;
    }
    await this.#client.update(this.#id, this.#apart(update));
  }

  /** The user's prompt stands behind all that was sent. */
  prompted(): void {
    this.#last = undefined;
  }

  /** Some editors put texts that follow one another into one message, so another message begins a paragraph. */
  #apart(update: SessionUpdate): SessionUpdate {
    if (!('messageId' in update) || update.content.type !== 'text') return update;
    const { sessionUpdate: kind, messageId, content } = update;
    const before = this.#last;
    this.#last = { kind, messageId };
    if (before?.kind !== kind || before.messageId === messageId) return update;
    return { ...update, content: { ...content, text: `\n\n${content.text}` } };
  }

  /** Sends what happens in a turn. The editor has the user's words already. */
  readonly show = async (event: AgentEvent): Promise<void> => {
    for (const update of this.#updates.of(event))
      if (update.sessionUpdate !== 'user_message_chunk') await this.send(update);
  };

  /** Begins again with what the journal says, and sends it if `isShown`. `messageAt`: the message of an entry of the user. */
  async replay(
    history: Iterable<RebuiltEvent>,
    isShown: boolean,
    messageAt: (seq: number) => unknown,
  ): Promise<void> {
    this.#updates = new SessionUpdates(this.#client.capabilities, this.#contextWindow);
    this.#last = undefined;
    for (const event of history) {
      const updates = this.#updates.of(event);
      // Notices are for the moment in which they are sent.
      if (!isShown) continue;
      for (const update of updates) {
        const isUser = update.sessionUpdate === 'user_message_chunk';
        const blocks = isUser ? userBlocks(messageAt(event.seq)) : undefined;
        for (const content of blocks ?? [])
          await this.send({ ...update, content } as SessionUpdate);
        if (!blocks && update.sessionUpdate !== 'notice') await this.send(update);
      }
    }
  }

  /** Tells the user about something beside the conversation, if the editor has a place for it and knows the session. */
  async remark(line: string): Promise<void> {
    if (!this.#client.capabilities.session?.notices) return;
    await this.#known.promise;
    const title = oneLine(line, MAX_REMARK);
    await this.send({ sessionUpdate: 'notice', severity: 'warning', title });
  }

  /** The editor knows the session now: the remarks so far are sent, and then what follows this. */
  async begin(): Promise<void> {
    this.#known.resolve();
    await this.#known.promise;
  }

  /**
   * Shows the subject of a question about a call, as `card` makes it. `close` ends what has no events of its own, such
   * as the call of a subagent.
   */
  async subject(
    call: ShownCall,
    card: (toolCallId: string, call: ShownCall) => ToolCall,
  ): Promise<{ readonly toolCall: ToolCall; readonly close: () => void }> {
    const { cards } = this.#updates;
    const known = this.toolCallId(call);
    const toolCallId = known ?? cards.open(call).toolCallId;
    cards.learn(call.id, call.change);
    const { path = call.path } = cards.callOf(call.id) ?? {};
    const toolCall = card(toolCallId, { ...call, ...(path === undefined ? {} : { path }) });
    // After `session/resume` the editor may not know a call of before.
    if (!this.#seen.has(toolCallId)) await this.send({ sessionUpdate: 'tool_call', ...toolCall });
    return { toolCall, close: () => known === undefined && cards.close(call.id) };
  }

  /** The id under which the editor knows a call. */
  toolCallId(call: ShownCall): string | undefined {
    const { cards } = this.#updates;
    return cards.idOf(call.id) ?? cards.idLike(call);
  }

  /** Writes a message of Toolfold itself. */
  readonly say = (text: string): Promise<void> => this.send(this.#updates.message(text));
}
