import type {
  ContentBlock,
  PromptResponse,
  ResumeSessionRequest,
  SessionConfigOption,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { screenOf } from '@toolfold/agent/internal/events';
import type { Agent, StampedEvent } from '@toolfold/agent/internal/options';
import { forkSession, openSession } from '@toolfold/agent/internal/sessions';
import type { RebuiltEvent } from '@toolfold/agent/internal/state';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty, raceAbort } from '@toolfold/core/internal/values';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import {
  type Begin,
  type Conversation,
  eventsOfSession,
  isInterrupted,
  type Opened,
  openConversation,
  ShownTexts,
} from '../conversations/index.ts';
import type { Ask } from '../questions/index.ts';
import { newTitle, shortId } from '../stored-sessions/index.ts';
import { contentOf, realPath } from '../terminal/index.ts';
import { flagsIn, offerTrust, withClientServers } from './client-servers.ts';
import { choiceOf, modesOf, ShownOptions } from './config-options.ts';
import { EditorQuestions } from './editor-questions.ts';
import { EditorOutlet, type Host } from './outlet.ts';
import {
  COMMANDS,
  commandIn,
  type PromptContent,
  promptContent,
  type SessionCommand,
} from './prompt.ts';
import { invalidParams, notNow, refusalOf, STOP_REASONS, turnFailure } from './refusals.ts';

/** Milliseconds in which a cancelled turn ends before its prompt is answered without it. */
const PATIENCE = 5_000;

/** One session of an editor: its servers, and its agent as soon as there is a prompt. */
export class EditorSession {
  readonly id: string;
  readonly #host: Host;
  readonly #outlet: EditorOutlet;
  readonly #questions: EditorQuestions;
  readonly #opened: Opened;
  readonly #shown: ShownOptions;
  readonly #offer: () => Promise<void>;
  #cancel: () => void = () => {};
  /** Set while a turn runs that was cancelled. Never rejects. */
  #ending: Promise<unknown> | undefined;
  /** Ends the updates about changed tools. */
  #unfollow: (() => void) | undefined;

  private constructor(
    host: Host,
    id: string,
    { outlet, questions, opened, offer }: EditorSessionParts,
  ) {
    this.#offer = offer;
    this.#host = host;
    this.id = id;
    this.#outlet = outlet;
    this.#questions = questions;
    this.#opened = opened;
    this.#shown = new ShownOptions({ host, outlet, opened });
  }

  /**
   * Reads the configuration and opens the servers. Rejects with the errors of the configuration. Nothing is
   * written: a new session is created in the store with its first prompt. `isStored`: the store has it.
   */
  static async open(
    host: Host,
    { sessionId: id, cwd, mcpServers = [] }: ResumeSessionRequest,
    isStored: boolean,
  ): Promise<EditorSession> {
    const { flags, terminal, signal, client, keys, store } = host;
    const folder = realPath(cwd);
    const given = flagsIn(folder, flags);
    const { elicitation: can } = client.capabilities;
    const elicitation = can?.form ? (can.url ? 'url' : 'form') : undefined;
    const note = (line: string) => terminal.note(`[${shortId(id)}] ${line}`);
    // What was opened is needed only by what happens later.
    let session: EditorSession | undefined;
    const outlet = new EditorOutlet(id, client, () => session?.talk.settings.contextWindow);
    const remark = (line: string) => {
      note(keys.hide(line));
      outlet.remark(line).catch(() => {});
    };
    const questions = new EditorQuestions({
      ...{ id, client, outlet },
      caughtUp: async () => session?.talk.caughtUp(),
      cancel: () => session?.cancel(),
      view: async () => {
        const stored = session?.talk.session;
        return screenOf(stored ? await eventsOfSession(stored) : []);
      },
    });
    const ask: Ask = (...asked) => questions.ask(...asked);
    const openPage = (server: string, url: string) => {
      outlet.say(`Open this address to log in to ${server}: ${url}`).catch(() => {});
    };
    const add = (configured: ReadonlyMap<string, ServerEntry>) => {
      const merged = withClientServers(configured, mcpServers, folder);
      for (const line of merged.remarks) remark(line);
      return merged.servers;
    };
    const opened = await openConversation({
      ...{
        flags: given,
        areFlagsStanding: true,
        folder,
        keys,
        store,
        onWarning: remark,
      },
      ...(isStored ? { resumed: id } : { id }),
      context: { terminal: { ...terminal, note }, signal },
      ...{ note: remark, noteConfig: note, areLogsShown: true, elicitation },
      asking: { ask, signal, note: remark, ...(elicitation && { openPage }) },
      change: (set) => {
        const none = { file: '', disabled: [], settings: set.settings };
        return {
          ...set,
          config: { ...none, ...set.config, servers: add(set.config?.servers ?? new Map()) },
        };
      },
      take: outlet.show,
      onReread: async () => session?.replay(false),
    });
    // A model of this computer can be chosen, and none is chosen by itself.
    if (opened.settings.modelOf() === undefined) await opened.set.directory.search();
    for (const name of opened.missing) remark(`${name} is still starting.`);
    const offer = () => offerTrust({ id, folder, host, opened, add, note: remark });
    session = new EditorSession(host, id, { outlet, questions, opened, offer });
    await session.#shown.count();
    return session;
  }

  get talk(): Conversation {
    return this.#opened.conversation;
  }

  get isRunning(): boolean {
    return this.talk.state === 'running';
  }

  /** The options, for an answer to the editor. */
  get options(): SessionConfigOption[] {
    return this.#shown.answered();
  }

  /** The roles, for editors that know modes and no options. */
  get modes(): SessionModeState {
    return modesOf(this.#shown.now);
  }

  /** Changes an option for the next turn. Rejects with an invalid parameter. */
  async setOption(id: string, value: string | boolean): Promise<void> {
    this.#opened.settings.choose(choiceOf(this.#shown.now, id, value));
    await this.#shown.chosen();
    if (id !== 'role') return;
    const { currentModeId } = this.modes;
    await this.#outlet.send({ sessionUpdate: 'current_mode_update', currentModeId });
  }

  /** Changes the role, as a mode. Rejects with an invalid parameter. */
  async setMode(id: string): Promise<void> {
    await this.setOption('role', id);
    await this.#outlet.send({
      sessionUpdate: 'config_option_update',
      configOptions: this.options,
    });
  }

  /** Tells the editor which commands there are, and from now on when the tools change. */
  async announce(): Promise<void> {
    await this.#outlet.begin();
    await this.#outlet.send({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...COMMANDS],
    });
    const { elicitation } = this.#host.client.capabilities;
    if (!elicitation?.form) await this.#questions.announce(this.talk.session?.entries ?? []);
    void this.#offer();
    const unfollow = this.#opened.logins?.follow();
    const end = this.#opened.pool.onChange(() => void this.#shown.update());
    this.#unfollow = () => {
      end();
      unfollow?.();
    };
  }

  /** Takes what was said before from the store, and sends it if `isShown`. */
  async replay(isShown: boolean): Promise<void> {
    const { session } = this.talk;
    if (!session) return;
    const texts = new ShownTexts<RebuiltEvent>();
    const messages = new Map(
      session.entries.map(({ seq, body }) => [seq, ownProperty(body, 'message')] as const),
    );
    const messageAt = (seq: number) => messages.get(seq);
    await this.#outlet.replay(texts.all(await eventsOfSession(session)), isShown, messageAt);
  }

  /**
   * Answers a prompt. A turn that was interrupted goes on before it, and one that was cancelled ends before it. Rejects
   * if a turn is running, without a model, and if the turn fails. `given` cancels the turn.
   */
  async prompt(blocks: readonly ContentBlock[], given: AbortSignal): Promise<PromptResponse> {
    if (this.#ending && !(await this.#ended(given))) return { stopReason: 'cancelled' };
    if (this.isRunning)
      throw notNow(
        'A turn of this session is still running. Wait until it has ended, or cancel it with session/cancel.',
      );
    const content = promptContent(blocks);
    const command = commandOf(content);
    // A command alone begins no session.
    if (command && command.name !== 'context' && !this.talk.session)
      throw notNow('Nothing was said in this session yet. Send a message.');
    const said = command && (await this.#saidAtOnce(command));
    if (said !== undefined) {
      await this.#outlet.say(said);
      return { stopReason: 'end_turn' };
    }
    this.#outlet.prompted();
    const stop = new AbortController();
    const late = Promise.withResolvers<PromptResponse>();
    this.#cancel = () => {
      if (stop.signal.aborted) return;
      stop.abort(new Error('The user cancelled the turn.'));
      const end = () => {
        this.#ending = undefined;
      };
      this.#ending = answer.then(end, end);
      setTimeout(late.resolve, PATIENCE, { stopReason: 'cancelled' }).unref();
    };
    const answer = this.#answer(content, stop.signal);
    given.addEventListener('abort', this.#cancel, { once: true });
    if (given.aborted) this.#cancel();
    return Promise.race([late.promise, answer]);
  }

  /** Waits for the end of a turn that was cancelled. Resolves with false if the one who waits is cancelled too. */
  async #ended(given: AbortSignal): Promise<boolean> {
    const left = new AbortController();
    const before = this.#cancel;
    this.#cancel = () => {
      before();
      left.abort();
    };
    const signal = AbortSignal.any([given, left.signal]);
    while (this.#ending && !signal.aborted) await raceAbort(this.#ending, signal).catch(() => {});
    return !signal.aborted;
  }

  async #answer(content: PromptContent, stop: AbortSignal): Promise<PromptResponse> {
    const given = AbortSignal.any([stop, this.#host.signal]);
    const begin: Begin = (agent, signal) => this.#turns(agent, content, signal);
    try {
      const end = await this.talk.turn(begin, { title: content.text, given });
      // The turn has ended, whatever becomes of this.
      await this.#shown.ended(commandOf(content)?.name === 'compact');
      await this.sendInfo().catch(() => {});
      if (end.reason === 'error') throw turnFailure(end);
      return { stopReason: STOP_REASONS[end.reason] };
    } catch (error) {
      if (given.aborted) return { stopReason: 'cancelled' };
      throw refusalOf(error);
    }
  }

  /** The answer to a command that needs no turn. Undefined for the others. */
  async #saidAtOnce(command: SessionCommand): Promise<string | undefined> {
    const { store } = this.#host;
    const { session } = this.talk;
    if (command.name === 'context') return (await this.#shown.count()).line;
    if (session && command.name === 'fork') {
      const { id } = await forkSession(await openSession(store, session.id));
      return `A copy of this session is in the list of sessions: ${shortId(id)}. This one goes on unchanged.`;
    }
    if (!session || command.name !== 'rename') return;
    const { title } = newTitle(command.title);
    if (title === undefined) return 'Give a title: /rename The mail server';
    await store.rename(session.id, title);
    await this.sendInfo();
    return `The title is "${title}".`;
  }

  /** Writes a message of Toolfold itself. */
  tell(text: string): void {
    this.#outlet.say(text).catch(() => {});
  }

  /**
   * Cancels the running turn, if there is one. Its prompt is answered soon: if the store lets the last entries wait, they
   * are written behind the answer.
   */
  cancel(): void {
    this.#cancel();
  }

  /** Cancels the running turn, waits for its end, and ends the servers. */
  async close(): Promise<void> {
    this.#unfollow?.();
    this.cancel();
    await this.#opened.close();
  }

  /** An interrupted turn, unless the user says otherwise, and the turn of the prompt. */
  async *#turns(
    agent: Agent,
    content: PromptContent,
    signal: AbortSignal,
  ): AsyncIterable<StampedEvent> {
    const command = commandOf(content);
    if (!command && isInterrupted(this.talk.session?.entries ?? []) && agent.canResume) {
      for await (const event of agent.resume({ signal })) {
        yield event;
        if (event.type !== 'end' || !['cancelled', 'error'].includes(event.reason)) continue;
        await this.#outlet.say('Your message was not sent: the turn before it has not ended.');
        return;
      }
    }
    signal.throwIfAborted();
    const isDecision = command?.name === 'again' || command?.name === 'happened';
    yield* isDecision
      ? await this.#questions.turn(agent, command, signal)
      : turnOf(agent, command?.name, content, signal);
  }

  /** Tells the editor the title and the time of the last change. Any process may have given the title. */
  async sendInfo(): Promise<void> {
    const { session } = this.talk;
    const record = session && (await session.store.get(session.id));
    if (!record) return;
    const { title, changedAt } = record;
    await this.#outlet.send({
      sessionUpdate: 'session_info_update',
      updatedAt: new Date(changedAt).toISOString(),
      ...(title === undefined ? {} : { title }),
    });
  }
}

interface EditorSessionParts {
  readonly outlet: EditorOutlet;
  readonly questions: EditorQuestions;
  readonly opened: Opened;
  /** Asks about entries of the project that are not trusted. */
  readonly offer: () => Promise<void>;
}

function turnOf(
  agent: Agent,
  command: SessionCommand['name'] | undefined,
  content: PromptContent,
  signal: AbortSignal,
): AsyncIterable<StampedEvent> {
  if (command === 'continue') {
    if (agent.canResume) return agent.resume({ signal });
    throw notNow('No turn of this session stopped in its middle. Send a message.');
  }
  return command === 'compact' ? agent.compact({ signal }) : sent(agent, content, signal);
}

/** Throws an invalid parameter for a file that is broken or that the model does not take. */
function sent(
  agent: Agent,
  content: PromptContent,
  signal: AbortSignal,
): AsyncIterable<StampedEvent> {
  try {
    return agent.send(contentOf(content), { signal });
  } catch (error) {
    throw content.files.length > 0 ? invalidParams(errorMessage(error)) : error;
  }
}

function commandOf({ text, files }: PromptContent): SessionCommand | undefined {
  return files.length === 0 ? commandIn(text) : undefined;
}
