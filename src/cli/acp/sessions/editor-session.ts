import type { ContentBlock, PromptResponse, SessionConfigOption } from '@agentclientprotocol/sdk';
import type { AgentEvent, AskedElicitation } from '../../../agent/index.ts';
import { errorMessage } from '../../../errors.ts';
import type { ServerPool } from '../../../mcp/index.ts';
import type { ElicitationAnswer } from '../../../tools/tool/index.ts';
import { type AgentSetUp, readSetUp, shortPath, withKeyAdvice } from '../../agents/index.ts';
import { saveApproval } from '../../approvals/index.ts';
import { shortId } from '../../sessions/index.ts';
import { eventsOfSession, HiddenTexts } from '../../turns/index.ts';
import { promptText } from '../prompt/index.ts';
import { notNow, refusalOf, unknownSession } from '../refusals/index.ts';
import { openSessionServers } from '../servers/index.ts';
import { firstChoices, keptChoices, SessionSettings } from '../settings/index.ts';
import { COMMANDS, commandIn, type SessionCommand } from './commands.ts';
import { isInterrupted, openWords } from './history.ts';
import type { Host, SessionRequest } from './host.ts';
import { Outlet } from './outlet.ts';
import { createPermissions } from './permissions.ts';
import { STOP_REASONS, type TurnEnd, turnFailure } from './stop-reason.ts';
import { Talk, type TalkParts } from './talk.ts';
import { TurnReader } from './turn-reader.ts';

interface RunningTurn {
  readonly stop: AbortController;
  /** Aborts with `stop`, with the request and with the process. */
  readonly signal: AbortSignal;
  readonly ended: Promise<void>;
}

/** One session of an editor: its servers, and its agent as soon as there is a prompt. */
export class EditorSession {
  readonly #host: Host;
  readonly #request: SessionRequest;
  readonly #set: AgentSetUp;
  readonly #outlet: Outlet;
  readonly #reader = new TurnReader<AgentEvent>();
  readonly #permissions: ReturnType<typeof createPermissions>;
  readonly #settings: SessionSettings;
  /** Whether the store has it. */
  #isStored: boolean;
  #pool: ServerPool | undefined;
  #talk: Talk | undefined;
  #turn: RunningTurn | undefined;
  /** Ends the updates about changed tools. */
  #unfollow: (() => void) | undefined;

  private constructor(host: Host, request: SessionRequest, set: AgentSetUp) {
    const { id, entries } = request;
    const { flags } = host;
    this.#host = host;
    this.#request = request;
    this.#set = set;
    this.#isStored = entries !== undefined;
    const choices = entries ? keptChoices(entries, flags, set.modelName) : firstChoices(flags);
    this.#settings = new SessionSettings(choices, () => {
      const servers = this.#pool?.servers ?? [];
      return { set, flags, servers, features: host.client.features };
    });
    this.#outlet = new Outlet(id, host.client, () => this.#settings.contextWindow);
    this.#permissions = createPermissions({
      file: shortPath(set.settingsFile),
      signal: () => this.#turn?.signal ?? host.signal,
      choose: async (...asked) => {
        await this.#reader.caughtUp();
        const chosen = await this.#outlet.choose(...asked);
        if (chosen === undefined) this.cancel();
        return chosen;
      },
    });
  }

  /**
   * Reads the configuration and opens the servers. Rejects with the errors of the configuration. Nothing is
   * written: a new session is created in the store with its first prompt.
   */
  static async open(host: Host, request: SessionRequest): Promise<EditorSession> {
    const { flags, terminal, signal, client } = host;
    const { id, folder, servers: given } = request;
    const { elicitation } = client.features;
    const note = (line: string) => terminal.note(`[${shortId(id)}] ${line}`);
    const set = await readSetUp(flags, note, folder);
    const session = new EditorSession(host, request, set);
    const options = { folder, given, signal, elicitation, terminal: { ...terminal, note } };
    session.#pool = await openSessionServers(set, { ...options, remark: session.#remark });
    return session;
  }

  get id(): string {
    return this.#request.id;
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  get options(): SessionConfigOption[] {
    return this.#settings.options;
  }

  /** Changes an option for the next turn. Throws an invalid parameter. */
  setOption(id: string, value: string | boolean): void {
    this.#settings.choose(id, value);
  }

  /** Tells the editor which commands there are, and from now on when the tools change. */
  async announce(): Promise<void> {
    await this.#outlet.begin();
    await this.#outlet.send({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...COMMANDS],
    });
    let shown = JSON.stringify(this.options);
    this.#unfollow = this.#pool?.onChange(() => {
      const configOptions = this.options;
      const now = JSON.stringify(configOptions);
      if (now !== shown) this.#send({ sessionUpdate: 'config_option_update', configOptions });
      shown = now;
    });
  }

  /** Takes what was said before from the store, and sends it if `isShown`. */
  async replay(isShown: boolean): Promise<void> {
    const { store } = this.#host;
    const entries = await store.read(this.id);
    await this.#outlet.replay(await eventsOfSession(store, this.id, entries), isShown);
  }

  /**
   * Answers a prompt. A turn that was interrupted goes on before it. Rejects if a turn is running, without a
   * model, and if the turn fails. `given` cancels the turn.
   */
  async prompt(blocks: readonly ContentBlock[], given: AbortSignal): Promise<PromptResponse> {
    if (this.#turn) {
      throw notNow(
        'A turn of this session is still running. Wait until it has ended, or cancel it with session/cancel.',
      );
    }
    const text = promptText(blocks);
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const signal = AbortSignal.any([stop.signal, given, this.#host.signal]);
    this.#turn = { stop, signal, ended };
    try {
      const end = await this.#run(text, signal);
      if (end.reason === 'error') throw turnFailure(end);
      return { stopReason: STOP_REASONS[end.reason] };
    } catch (error) {
      if (signal.aborted) return { stopReason: 'cancelled' };
      throw refusalOf(error);
    } finally {
      this.#turn = undefined;
      resolve();
    }
  }

  /** Cancels the running turn, if there is one. */
  cancel(): void {
    this.#turn?.stop.abort(new Error('The user has cancelled the turn.'));
  }

  /** Cancels the running turn, waits for its end, and ends the servers. */
  async close(): Promise<void> {
    this.cancel();
    this.#unfollow?.();
    await this.#turn?.ended;
    await this.#pool?.close();
  }

  async #run(text: string, signal: AbortSignal): Promise<TurnEnd> {
    const talk = await this.#ready(text);
    const { agent, session } = talk;
    const command = commandIn(text);
    const goesOn = isInterrupted(session.entries) && agent.canResume;
    const words = goesOn && command !== 'compact' ? openWords(session.entries) : undefined;
    if (words) this.#outlet.expectAgain(words);
    if (!command && goesOn) {
      const end = await this.#follow(talk, agent.resume({ signal }));
      if (end.reason === 'cancelled' || end.reason === 'error') return end;
    }
    signal.throwIfAborted();
    const end = await this.#follow(talk, turnOf(talk, command, text, signal));
    const { title, changedAt } = session.record;
    await this.#outlet.send({
      sessionUpdate: 'session_info_update',
      updatedAt: new Date(changedAt).toISOString(),
      ...(title === undefined ? {} : { title }),
    });
    return end;
  }

  /** The agent with the present choices, and with what other processes have written. */
  async #ready(words: string): Promise<Talk> {
    const { store } = this.#host;
    if (this.#isStored && !(await store.get(this.id)))
      throw unknownSession(this.id, `The session "${this.id}" was removed from ${store.name}.`);
    if (await this.#talk?.isOutdated()) {
      this.#talk = undefined;
      await this.replay(false);
    }
    this.#talk ??= await Talk.open(this.#parts(), this.#settings.choices, words);
    this.#isStored = true;
    await this.#talk.apply(this.#settings.choices);
    return this.#talk;
  }

  async #follow({ model }: Talk, events: AsyncIterable<AgentEvent>): Promise<TurnEnd> {
    const advised = withKeyAdvice(events, model.model, model.keyAdvice);
    const hidden = new HiddenTexts(() => this.#host.keys.secrets);
    const last = await this.#reader.read(advised, async (event) => {
      for (const one of hidden.of(event)) await this.#outlet.show(one);
    });
    if (last?.type !== 'end') throw new Error('The turn ended without its last event.');
    return last;
  }

  #parts(): TalkParts {
    const { store, flags, client, keys } = this.#host;
    const { id, folder } = this.#request;
    const { settingsFile } = this.#set;
    const file = shortPath(settingsFile);
    const pool = this.#pool;
    if (!pool) throw notNow('The session is not open.');
    return {
      ...{ id, folder, store, flags, pool, set: this.#set, ...this.#permissions },
      onKey: keys.add,
      elicit: client.features.elicitation && this.#elicit,
      onWarning: this.#remark,
      onAlways: (name) => {
        try {
          saveApproval(settingsFile, name);
          this.#remark(`Saved in ${file}: ${name} runs without a question from now on.`);
        } catch (error) {
          this.#remark(`The approval holds for this session only: ${errorMessage(error)}`);
        }
      },
    };
  }

  readonly #remark = (line: string): void => {
    const { terminal, keys } = this.#host;
    terminal.note(`[${shortId(this.id)}] ${keys.hide(line)}`);
    this.#outlet.remark(line).catch(() => {});
  };

  readonly #elicit = async (asked: AskedElicitation): Promise<ElicitationAnswer> => {
    await this.#reader.caughtUp();
    return this.#outlet.elicit(asked);
  };

  #send(update: Parameters<Outlet['send']>[0]): void {
    this.#outlet.send(update).catch(() => {});
  }
}

function turnOf(
  { agent }: Talk,
  command: SessionCommand | undefined,
  text: string,
  signal: AbortSignal,
): AsyncIterable<AgentEvent> {
  if (command === 'continue') return agent.resume({ signal });
  return command === 'compact' ? agent.compact({ signal }) : agent.send(text, { signal });
}
