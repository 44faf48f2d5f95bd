import type { ContentBlock, PromptResponse, SessionConfigOption } from '@agentclientprotocol/sdk';
import type { Agent, AgentEvent, AskedElicitation, StampedEvent } from '../../agent/index.ts';
import { type AgentSetUp, readSetUp } from '../../app/agents/index.ts';
import {
  AgentMaker,
  eventsOfSession,
  isInterrupted,
  Talk,
  TurnSettings,
} from '../../app/conversations/index.ts';
import { shortId } from '../../app/sessions/index.ts';
import { HiddenTexts } from '../../app/turns/index.ts';
import type { ServerPool } from '../../mcp/index.ts';
import type { Session } from '../../sessions/index.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { promptText } from '../prompt/index.ts';
import { notNow, refusalOf, unknownSession } from '../refusals/index.ts';
import { openSessionServers } from '../servers/index.ts';
import { choiceOf, configOptions, contextWindowOf, type OptionSources } from '../settings/index.ts';
import { COMMANDS, commandIn, type SessionCommand } from './commands.ts';
import type { Host, SessionRequest } from './host.ts';
import { Outlet } from './outlet.ts';
import { createPermissions } from './permissions.ts';
import { STOP_REASONS, type TurnEnd, turnFailure } from './stop-reason.ts';
import { TurnReader } from './turn-reader.ts';
import { UnknownCalls } from './unknown-calls.ts';

/** What a session is opened with. */
interface Opened {
  readonly set: AgentSetUp;
  readonly settings: TurnSettings;
  readonly pool: ServerPool;
  readonly outlet: Outlet;
  /** Tells the user about something beside the conversation. */
  readonly remark: (line: string) => void;
}

/** One session of an editor: its servers, and its agent as soon as there is a prompt. */
export class EditorSession {
  readonly #host: Host;
  readonly #request: SessionRequest;
  readonly #pool: ServerPool;
  readonly #talk: Talk;
  readonly #outlet: Outlet;
  readonly #reader = new TurnReader<AgentEvent>();
  readonly #sources: OptionSources;
  readonly #unknown: UnknownCalls;
  /** Ends the updates about changed tools. */
  #unfollow: (() => void) | undefined;

  private constructor(
    host: Host,
    request: SessionRequest,
    { set, settings, pool, outlet, remark }: Opened,
  ) {
    const { id, folder } = request;
    const { flags, store, client, keys } = host;
    this.#host = host;
    this.#request = request;
    this.#pool = pool;
    this.#outlet = outlet;
    this.#sources = { set, settings, pool, client, flags };
    const signal = () => this.#talk.signal ?? host.signal;
    const { ask } = createPermissions({
      signal,
      choose: async (...asked) => {
        await this.#reader.caughtUp();
        const chosen = await outlet.choose(...asked);
        if (chosen === undefined) this.cancel();
        return chosen;
      },
    });
    this.#unknown = new UnknownCalls({
      ...{ signal, say: outlet.say },
      decide: async (...asked) => {
        await this.#reader.caughtUp();
        return outlet.decide(...asked);
      },
    });
    const agents = new AgentMaker({
      ...{ set, flags, pool, settings, keys, ask },
      onUnknown: this.#unknown.onUnknown,
      elicitation: client.features.elicitation ? { ask: this.#elicit } : false,
      onWarning: remark,
    });
    this.#talk = new Talk({ store, folder, id, agents });
  }

  /**
   * Reads the configuration and opens the servers. Rejects with the errors of the configuration. Nothing is
   * written: a new session is created in the store with its first prompt.
   */
  static async open(host: Host, request: SessionRequest): Promise<EditorSession> {
    const { flags, terminal, signal, client, keys } = host;
    const { id, folder, servers: given, entries = [] } = request;
    const { elicitation } = client.features;
    const note = (line: string) => terminal.note(`[${shortId(id)}] ${line}`);
    const set = await readSetUp(flags, note, folder);
    const settings = new TurnSettings(set, flags, {});
    settings.follow(entries);
    const outlet = new Outlet(id, client, () => contextWindowOf(set, settings.model));
    const remark = (line: string) => {
      note(keys.hide(line));
      outlet.remark(line).catch(() => {});
    };
    const options = { folder, given, signal, elicitation, terminal: { ...terminal, note }, remark };
    const pool = await openSessionServers(set, options);
    return new EditorSession(host, request, { set, settings, pool, outlet, remark });
  }

  get id(): string {
    return this.#request.id;
  }

  get isRunning(): boolean {
    return this.#talk.isRunning;
  }

  get options(): SessionConfigOption[] {
    return configOptions(this.#sources);
  }

  /** Changes an option for the next turn. Throws an invalid parameter. */
  setOption(id: string, value: string | boolean): void {
    this.#sources.settings.choose(choiceOf(this.#sources, id, value));
  }

  /** Tells the editor which commands there are, and from now on when the tools change. */
  async announce(): Promise<void> {
    await this.#outlet.begin();
    await this.#outlet.send({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...COMMANDS],
    });
    const { elicitation } = this.#host.client.features;
    if (!elicitation) await this.#unknown.announce(this.#request.entries ?? []);
    let shown = JSON.stringify(this.options);
    this.#unfollow = this.#pool.onChange(() => {
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
    if (this.isRunning) {
      throw notNow(
        'A turn of this session is still running. Wait until it has ended, or cancel it with session/cancel.',
      );
    }
    const text = promptText(blocks);
    return this.#talk.alone(
      async (signal) => {
        try {
          const end = await this.#run(text, signal);
          if (end.reason === 'error') throw turnFailure(end);
          return { stopReason: STOP_REASONS[end.reason] };
        } catch (error) {
          if (signal.aborted) return { stopReason: 'cancelled' };
          throw refusalOf(error);
        }
      },
      [given, this.#host.signal],
    );
  }

  /** Cancels the running turn, if there is one. */
  cancel(): void {
    void this.#talk.cancel();
  }

  /** Cancels the running turn, waits for its end, and ends the servers. */
  async close(): Promise<void> {
    this.#unfollow?.();
    await this.#talk.cancel();
    await this.#pool.close();
  }

  async #run(text: string, signal: AbortSignal): Promise<TurnEnd> {
    const { agent, session } = await this.#ready(text);
    const command = commandIn(text);
    const goesOn = isInterrupted(session.entries) && agent.canResume;
    if (!command && goesOn) {
      const end = await this.#follow(agent.resume({ signal }));
      if (end.reason === 'cancelled' || end.reason === 'error') return end;
    }
    signal.throwIfAborted();
    const isDecision = command?.name === 'again' || command?.name === 'happened';
    const turn = isDecision
      ? await this.#unknown.turn(agent, command, signal)
      : turnOf(agent, command?.name, text, signal);
    const end = await this.#follow(turn);
    const { title, changedAt } = session.record;
    await this.#outlet.send({
      sessionUpdate: 'session_info_update',
      updatedAt: new Date(changedAt).toISOString(),
      ...(title === undefined ? {} : { title }),
    });
    return end;
  }

  /** The agent with the present choices, and with what other processes have written. */
  async #ready(words: string): Promise<{ readonly agent: Agent; readonly session: Session }> {
    const { store } = this.#host;
    const isStored = (this.#talk.session ?? this.#request.entries) !== undefined;
    if (isStored && !(await store.get(this.id)))
      throw unknownSession(this.id, `The session "${this.id}" was removed from ${store.name}.`);
    if (await this.#talk.refresh()) await this.replay(false);
    const agent = await this.#talk.ready(words);
    return { agent, session: this.#talk.session as Session };
  }

  async #follow(turn: AsyncIterable<StampedEvent>): Promise<TurnEnd> {
    const hidden = new HiddenTexts(() => this.#host.keys.secrets);
    const last = await this.#reader.read(this.#talk.events(turn), async (event) => {
      for (const one of hidden.of(event)) await this.#outlet.show(one);
    });
    if (last?.type !== 'end') throw new Error('The turn ended without its last event.');
    return last;
  }

  readonly #elicit = async (asked: AskedElicitation): Promise<ElicitationAnswer> => {
    await this.#reader.caughtUp();
    return this.#outlet.elicit(asked);
  };

  #send(update: Parameters<Outlet['send']>[0]): void {
    this.#outlet.send(update).catch(() => {});
  }
}

function turnOf(
  agent: Agent,
  command: SessionCommand['name'] | undefined,
  text: string,
  signal: AbortSignal,
): AsyncIterable<StampedEvent> {
  if (command === 'continue') return agent.resume({ signal });
  return command === 'compact' ? agent.compact({ signal }) : agent.send(text, { signal });
}
