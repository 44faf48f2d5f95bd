import type { ModelMessage, ToolModelMessage } from 'ai';
import { canonicalJson } from '../../tools/values/index.ts';
import type { ApprovalPolicy } from '../approvals/index.ts';
import { PendingApprovals, RemoteAnswers } from '../approvals/index.ts';
import { INTERRUPTED, NOT_RUN, openCalls, pendingIn, repaired } from '../conversation/index.ts';
import { type AgentEvent, type PendingApproval, readAskedBy } from '../events/index.ts';
import { Journal, type OpenAnswer, plainValue, type Write } from '../journal/index.ts';
import type { AgentOptions } from '../options/index.ts';
import { isRecallDeclared } from '../recall/index.ts';
import { Accounts } from '../usage/index.ts';
import { settingsToKeep } from './configured.ts';

/** A turn that ended with its process. */
export interface CutTurn {
  /** The messages before the answer, or all. */
  readonly messages: readonly ModelMessage[];
  /** The answer whose calls may not have run. */
  readonly answer: OpenAnswer | undefined;
}

type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** What an agent knows of its conversation between turns. Its session can replace all of it. */
export class AgentState {
  readonly journal: Journal;
  readonly remarks: readonly string[];
  messages: ModelMessage[] = [];
  pending: PendingApprovals = new PendingApprovals([]);
  accounts: Accounts = new Accounts();
  areToolsOn = true;
  cut: CutTurn | undefined;
  /** Answers of other processes to approvals that this agent or its subagents ask for. */
  readonly remote: RemoteAnswers;

  #noting: Promise<unknown> = Promise.resolve();

  constructor(
    { session, messages = [] }: Pick<AgentOptions, 'session' | 'messages'>,
    remote: RemoteAnswers = new RemoteAnswers(),
  ) {
    this.remote = remote;
    this.journal = new Journal(session);
    const { messages: given, remarks } = repaired(messages);
    this.remarks = remarks;
    if (session) this.restore();
    else this.#replace(given);
  }

  /** Takes over what the session says. */
  restore(): void {
    const { state } = this.journal;
    const isCut = state.answer !== undefined || state.runs.size > 0;
    this.cut = isCut ? { messages: state.messages, answer: state.answer } : undefined;
    this.areToolsOn = state.areToolsOn;
    this.accounts = new Accounts();
    for (const usage of state.usages) this.accounts.restore(usage);
    const { messages } = repaired(this.closed());
    this.#replace(messages);
  }

  /** Makes approvals of earlier processes valid here. */
  grant(policy: ApprovalPolicy): void {
    const { granted, grantedKeys } = this.journal.state;
    for (const [name, fingerprint] of granted) policy.grant(name, fingerprint);
    for (const { name, askKey, fingerprint } of grantedKeys)
      policy.grantKey(name, askKey, fingerprint);
  }

  /** What the session does not know yet of the agent's settings. */
  changes(options: AgentOptions): readonly Write[] {
    const { settings, areToolsOn, turn } = this.journal.state;
    const isNew = turn === 0 && settings.model === undefined;
    const recall = settings.recall || (isNew && isRecallDeclared(options.fold.layer));
    const now = { ...settingsToKeep(options), ...(recall ? { recall } : {}) };
    const isKept = canonicalJson(plainValue(settings)) === canonicalJson(plainValue(now));
    return [
      ...(isKept ? [] : [['settings', now] as const]),
      ...(areToolsOn === this.areToolsOn ? [] : [['tools', { on: this.areToolsOn }] as const]),
    ];
  }

  /** Sets the messages, and writes what does not follow from earlier entries. */
  async keep(messages: ModelMessage[]): Promise<void> {
    this.messages = messages;
    await this.journal.sync(messages);
  }

  /** Resolves when nothing is written beside the turns. */
  get idle(): Promise<unknown> {
    return this.#noting;
  }

  /** Something that is still written after a turn. The next one waits for it. */
  later(work: Promise<unknown>): void {
    this.#noting = Promise.allSettled([this.#noting, work]);
  }

  /** Writes what happened beside the turns, such as the usage of a quick question. */
  note(event: AgentEvent): Promise<void> {
    const noted = this.#noting.then(() => this.#note(event));
    this.#noting = noted.catch(() => {});
    return noted;
  }

  async #note(event: AgentEvent): Promise<void> {
    const { journal } = this;
    if (!journal.session) return;
    const write = () => journal.write(['event', { event }]);
    if (journal.isHeld) return write();
    try {
      if (await journal.begin({ onFailure: () => {}, onMessage: () => {} })) this.restore();
      await write();
    } finally {
      await journal.end();
    }
  }

  #replace(messages: ModelMessage[]): void {
    const { answers } = this.journal.state;
    this.messages = messages;
    this.pending = new PendingApprovals(this.askedIn(messages), Object.fromEntries(answers));
  }

  /** The approvals that messages wait for, with what is known of their questions. */
  askedIn(messages: readonly ModelMessage[]): readonly PendingApproval[] {
    const { asked } = this.journal.state;
    return pendingIn(messages).map((one) => {
      const known = asked.get(one.approvalId);
      const { reason, changes } = known ?? {};
      return {
        ...one,
        ...readAskedBy(known),
        ...(reason === undefined ? {} : { reason }),
        ...(changes === undefined ? {} : { changes }),
      };
    });
  }

  /** The messages with a result for each call that an ended process has left. */
  closed(): readonly ModelMessage[] {
    const { state } = this.journal;
    const messages = state.settled();
    const results = openCalls(messages).flatMap(({ id, name }): Result[] => {
      const isStarted = state.runs.has(id);
      if (!isStarted && !state.answer) return [];
      const output = isStarted
        ? { type: 'error-text' as const, value: INTERRUPTED }
        : { type: 'execution-denied' as const, reason: NOT_RUN };
      return [{ type: 'tool-result', toolCallId: id, toolName: name, output }];
    });
    return results.length > 0 ? [...messages, { role: 'tool', content: results }] : messages;
  }
}
