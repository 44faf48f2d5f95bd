import type {
  CreateElicitationRequest,
  PermissionOption,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { AgentEvent, AskedElicitation, RebuiltEvent } from '../../agent/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { answerOf, elicitationText, formSchema, UNKNOWN_FORM } from '../elicitations/index.ts';
import { askedCallOf, SessionUpdates, type ShownCall } from '../updates/index.ts';
import type { EditorClient } from './editor-client.ts';
import type { UnknownAnswer } from './unknown-calls.ts';

/** Most characters of a remark. */
const MAX_REMARK = 300;

/** What one session sends to the editor. */
export class Outlet {
  readonly #id: string;
  readonly #client: EditorClient;
  readonly #contextWindow: () => number | undefined;
  /** Ids of the calls that the editor has seen. */
  readonly #seen = new Set<string>();
  #updates: SessionUpdates;
  /** Remarks wait until the editor knows the session. */
  #early: string[] | undefined = [];

  /** `contextWindow`: tokens of the model's window, if they are known. */
  constructor(id: string, client: EditorClient, contextWindow: () => number | undefined) {
    this.#id = id;
    this.#client = client;
    this.#contextWindow = contextWindow;
    this.#updates = new SessionUpdates(client.features, contextWindow);
  }

  async send(update: SessionUpdate): Promise<void> {
    if (update.sessionUpdate === 'tool_call') this.#seen.add(update.toolCallId);
    await this.#client.update(this.#id, update);
  }

  /** Sends what happens in a turn. The editor has the user's words already. */
  readonly show = async (event: AgentEvent): Promise<void> => {
    for (const update of this.#updates.of(event))
      if (update.sessionUpdate !== 'user_message_chunk') await this.send(update);
  };

  /** Begins again with what the journal says, and sends it if `isShown`. */
  async replay(history: Iterable<RebuiltEvent>, isShown: boolean): Promise<void> {
    this.#updates = new SessionUpdates(this.#client.features, this.#contextWindow);
    for (const event of history) {
      const updates = this.#updates.of(event);
      // Notices are for the moment in which they are sent.
      if (!isShown) continue;
      for (const update of updates) if (update.sessionUpdate !== 'notice') await this.send(update);
    }
  }

  /** Tells the user about something beside the conversation, if the editor has a place for it. */
  async remark(line: string): Promise<void> {
    if (!this.#client.features.notices) return;
    if (this.#early) {
      this.#early.push(line);
      return;
    }
    const title = oneLine(line, MAX_REMARK);
    await this.send({ sessionUpdate: 'notice', severity: 'warning', title });
  }

  /** The editor knows the session now. Sends the remarks so far. */
  async begin(): Promise<void> {
    const lines = this.#early ?? [];
    this.#early = undefined;
    for (const line of lines) await this.remark(line);
  }

  /** Asks the user about a call. `undefined`: the turn is cancelled. Rejects as `askPermission` does. */
  async choose(
    call: ShownCall,
    text: string,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { cards } = this.#updates;
    const known = cards.idOf(call.id) ?? cards.idLike(call);
    const toolCallId = known ?? cards.open(call).toolCallId;
    const { path = call.path } = cards.callOf(call.id) ?? {};
    const subject = { ...call, ...(path === undefined ? {} : { path }) };
    const toolCall = askedCallOf(toolCallId, subject, text);
    // After `session/resume` the editor may not know a call of before.
    if (!this.#seen.has(toolCallId)) await this.send({ sessionUpdate: 'tool_call', ...toolCall });
    const request = { sessionId: this.#id, toolCall, options: [...options] };
    const { outcome } = await this.#client.askPermission(request, signal);
    // A call without events of its own has no outcome that would close it.
    if (known === undefined) cards.close(call.id);
    return outcome.outcome === 'selected' ? outcome.optionId : undefined;
  }

  /** Writes a message of Toolfold itself. */
  readonly say = (text: string): Promise<void> => this.send(this.#updates.message(text));

  /** Asks in a form about a call whose outcome is unknown. `undefined`: the editor shows no forms. */
  async decide(
    call: ShownCall,
    text: string,
    signal: AbortSignal,
  ): Promise<UnknownAnswer | undefined> {
    if (this.#client.features.elicitation === undefined) return;
    const { cards } = this.#updates;
    const toolCallId = cards.idOf(call.id) ?? cards.idLike(call);
    const request: CreateElicitationRequest = {
      ...{ mode: 'form', sessionId: this.#id, message: text, requestedSchema: UNKNOWN_FORM },
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
    const answer = answerOf(await this.#client.elicit(request, signal));
    const choice = answer.action === 'accept' ? answer.content?.outcome : undefined;
    return choice === 'again' || choice === 'happened' ? choice : 'leave';
  }

  /** Asks the user for what a server wants to know. Rejects as `EditorClient.elicit`. */
  async elicit(asked: AskedElicitation): Promise<ElicitationAnswer> {
    const { id, subagent, url, fields, elicitationId, signal } = asked;
    const toolCallId = subagent === undefined ? this.#updates.cards.idOf(id) : undefined;
    const scope = {
      sessionId: this.#id,
      message: elicitationText(asked),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
    const request: CreateElicitationRequest =
      url === undefined
        ? { mode: 'form', ...scope, requestedSchema: formSchema(fields) }
        : { mode: 'url', ...scope, url, elicitationId };
    return answerOf(await this.#client.elicit(request, signal));
  }
}
