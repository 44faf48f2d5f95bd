import { randomUUID } from 'node:crypto';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { LanguageModel } from 'ai';
import { type Opened, openConversation } from '../conversations/index.ts';
import type { FileTree } from '../shown/index.ts';
import { WaitingMessages } from '../stored-sessions/index.ts';
import type { AgentFlags, CommandContext } from '../terminal/index.ts';
import type { WireNote, WireQuick } from '../web-wire/index.ts';
import { type InsightHost, SessionInsight } from './session-insight.ts';
import { ShownTurns } from './shown-turns.ts';
import { WebQuestions } from './web-questions.ts';

/** Most notes of a session. */
const MOST_NOTES = 50;

/** What all sessions of the page share. */
export interface WebHost extends InsightHost {
  readonly flags: AgentFlags;
  readonly context: CommandContext;
  /** Whether sessions outlive the process. The demo keeps nothing. */
  readonly isKept: boolean;
  /** A model in place of those that are loaded by name. */
  readonly model?: LanguageModel | undefined;
}

/** Where a session is, and whether the store has it. */
export interface SessionPlace {
  readonly id: string;
  readonly folder: string;
  readonly isStored: boolean;
}

/** The name of the model of the demo. */
const SCRIPTED = 'demo/scripted';

type QuickOptions = Pick<WireQuick, 'id' | 'question' | 'withConversation'>;

/** A quick question that waits for its answer, and what cancels it. */
export type AskedQuick = WireQuick & { readonly stop: AbortController };

/** One session that the page has open. It goes on without a page. */
export class WebSession {
  readonly id: string;
  readonly place: SessionPlace;
  readonly host: WebHost;
  readonly questions: WebQuestions;
  readonly opened: Opened;
  readonly shown: ShownTurns;
  readonly insight: SessionInsight;
  readonly quick: Map<string, AskedQuick> = new Map();
  /** The files that can be mentioned, once they are asked for. */
  tree: FileTree | undefined;
  /** The servers that are switched off. */
  readonly off: Set<string> = new Set();
  /** When its configuration was read, in milliseconds since 1970. */
  readonly readAt: number;
  readonly #run = new Map<string, unknown>();
  readonly #notes: () => readonly WireNote[];
  /** What is shown has changed. */
  readonly changed: () => void;
  /** Adds a line for the user. */
  readonly note: (line: string) => void;

  private constructor(
    host: WebHost,
    place: SessionPlace,
    parts: Pick<WebSession, 'questions' | 'opened'> & {
      readonly readAt: number;
      readonly notes: () => readonly WireNote[];
      readonly changed: () => void;
      readonly note: (line: string) => void;
    },
  ) {
    this.host = host;
    this.place = place;
    this.id = place.id;
    this.readAt = parts.readAt;
    this.questions = parts.questions;
    this.opened = parts.opened;
    this.#notes = parts.notes;
    this.changed = parts.changed;
    this.note = parts.note;
    this.shown = new ShownTurns(host.keys);
    this.insight = new SessionInsight(this.opened, host, {
      change: parts.changed,
      error: parts.note,
    });
  }

  /**
   * Reads the configuration and opens the servers in the background. Nothing is written: a new session is created in the
   * store with its first message. Rejects as `openConversation`. `changed` is called with every change of what is shown.
   */
  static async open(host: WebHost, place: SessionPlace, changed: () => void): Promise<WebSession> {
    const { keys, model, isKept, context } = host;
    const { id, folder, isStored } = place;
    let notes: readonly WireNote[] = [];
    const note = (line: string) => {
      // Another list each time: a patch looks into what is not the same object.
      notes = [...notes, { id: randomUUID(), text: keys.hide(line) }].slice(-MOST_NOTES);
      changed();
    };
    const questions = new WebQuestions(changed);
    const openPage = (server: string, url: string) =>
      note(`Open this address to log in to ${server}: ${url}`);
    const readAt = Date.now();
    const opened = await openConversation({
      ...{ ...host, folder, starts: 'later', areLogsShown: false, areFlagsStanding: true, note },
      ...(isStored ? { resumed: id } : { id }),
      context: { ...context, terminal: { ...context.terminal, note, isInteractive: false } },
      waiting: isKept ? new WaitingMessages() : undefined,
      ...(isKept ? {} : { noteConfig: () => {} }),
      asking: {
        ...{ ask: questions.ask, inOrder: (work) => work(), note, signal: context.signal },
        ...{ canSave: true, openPage },
      },
      elicitation: 'url',
      change: (set) => {
        if (!model) return set;
        const load = async () => ({ model, key: undefined, keyAdvice: '' });
        return { ...set, modelName: () => SCRIPTED, load };
      },
      watch: { onChange: changed, onError: (error) => note(errorMessage(error)) },
      onWarning: note,
      onChange: changed,
    });
    const { conversation, logins, pool, settings, set } = opened;
    // What was said and not sent before the session was created waits still.
    if (!isStored) await conversation.open(undefined);
    pool.onChange(changed);
    logins?.follow();
    for (const draft of conversation.takeDrafts()) note(`This message was not sent: ${draft}`);
    if (settings.modelOf() === undefined) void set.directory.search().then(changed, () => {});
    void conversation.offerToContinue().catch((error) => note(errorMessage(error)));
    return new WebSession(host, place, {
      questions,
      opened,
      readAt,
      notes: () => notes,
      changed,
      note,
    });
  }

  get notes(): readonly WireNote[] {
    return this.#notes();
  }

  /** Runs a command once, however often its POST is sent. */
  once<T>(id: string, run: () => T): T {
    if (this.#run.has(id)) return this.#run.get(id) as T;
    const result = run();
    this.#run.set(id, result);
    // One that has failed may be tried again.
    if (result instanceof Promise) result.catch(() => this.#run.delete(id));
    return result;
  }

  /** What goes on behind a reply. What goes wrong becomes a note. */
  background(work: Promise<unknown> | undefined): void {
    work?.then(this.changed, (error: unknown) => this.note(errorMessage(error)));
  }

  /** Asks beside the conversation, also while a turn runs. The answer is an entry of the session; a failure is none. */
  askQuick({ id, question, withConversation }: QuickOptions): void {
    const stop = new AbortController();
    const asked: AskedQuick = {
      id,
      question,
      withConversation,
      answer: '',
      state: 'running',
      stop,
    };
    this.quick.set(id, asked);
    this.changed();
    const failed = (error: unknown) => {
      const isCancelled = stop.signal.aborted;
      const ended = isCancelled
        ? { state: 'cancelled' as const }
        : { state: 'failed' as const, answer: errorMessage(error) };
      this.quick.set(id, { ...asked, ...ended });
    };
    const { quick } = this.opened.conversation;
    const answered = quick.ask(question, stop.signal, { conversation: withConversation });
    this.background(answered.then(() => this.quick.delete(id), failed));
  }

  /** Cancels the turn, and ends the servers. What waits is kept. */
  async close(): Promise<void> {
    for (const { stop } of this.quick.values()) stop.abort();
    await this.opened.close();
  }
}
