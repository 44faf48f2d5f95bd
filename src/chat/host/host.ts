import type { LanguageModel } from 'ai';
import type { AgentFold } from '../../agent/index.ts';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import { type AgentSetUp, foldOf, Keys, openAgentServers } from '../../app/agents/index.ts';
import { approvalStore, createApprover, createUnknownAsker } from '../../app/approvals/index.ts';
import {
  AgentMaker,
  type Choice,
  isInterrupted,
  openFacts,
  RemoteAnswers,
  TurnSettings,
  WatchedTalk,
} from '../../app/conversations/index.ts';
import { createElicitor } from '../../app/elicitations/index.ts';
import type { Question } from '../../app/questions/index.ts';
import { PATIENCE } from '../../app/servers/index.ts';
import type { CommandContext } from '../../app/terminal/index.ts';
import { errorMessage } from '../../errors.ts';
import type { ServerPool } from '../../mcp/index.ts';
import type { SessionStore } from '../../sessions/index.ts';
import { historyOf } from './history.ts';
import { Questions } from './questions.ts';

/** What a chat is opened with. */
export interface HostOptions {
  readonly setUp: AgentSetUp;
  readonly flags: AgentFlags;
  readonly store: SessionStore;
  /** The folder in which the user works. */
  readonly folder: string;
  readonly context: Pick<CommandContext, 'terminal' | 'signal'>;
  /** Whether the user can be asked. Without, calls that need approval wait in the session. */
  readonly canAsk: boolean;
  /** A model in place of those that are loaded by name. */
  readonly model?: LanguageModel | undefined;
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
  /** Shows a line of the chat itself. */
  readonly note: (text: string) => void;
}

/** What stands for the name of a model that was not loaded by name. */
const SCRIPTED = 'demo/scripted';

const GO_ON: Question = {
  text: 'Go on with it?',
  choices: [
    { id: 'yes', label: 'Yes, go on' },
    { id: 'no', label: 'No, not now' },
  ],
  marked: 'yes',
};

/** The servers, the model and the conversation of a chat. */
export class ChatHost {
  readonly questions: Questions;
  readonly talk: WatchedTalk;
  readonly setUp: AgentSetUp;
  readonly settings: TurnSettings;
  readonly store: SessionStore;
  readonly pool: ServerPool;
  readonly #options: HostOptions;
  readonly #remote: RemoteAnswers;
  readonly #keys: Keys = new Keys(process.env);
  readonly #agents: AgentMaker;
  /** The tools before there is an agent. */
  readonly #fold: AgentFold;
  /** Takes back the offer to go on with a turn. */
  #offer: AbortController | undefined;
  #wasElsewhere = false;

  private constructor(options: HostOptions, pool: ServerPool) {
    const { flags, store, folder, context, onChange, note, model, canAsk } = options;
    const setUp = model ? withModel(options.setUp, model) : options.setUp;
    this.#options = options;
    this.settings = new TurnSettings(setUp, flags, flags);
    this.setUp = setUp;
    this.store = store;
    this.pool = pool;
    this.#fold = foldOf(setUp, flags, { pool, team: undefined });
    this.questions = new Questions(onChange, note);
    const { hold, askLine, choose, note: about } = this.questions;
    const { signal } = context;
    const asking = { hold, signal, note: (text: string) => about(this.hide(text)) };
    const { ask, onAlways } = createApprover({
      ...{ ...asking, askLine, choose },
      isDestructive: (name) => this.fold.layer.hintsOf(name)?.destructiveHint === true,
      allowed: setUp.settings.approvals?.allow ?? [],
      store: approvalStore(setUp.settingsFile),
    });
    const onError = (error: unknown): void => note(errorMessage(error));
    this.#remote = new RemoteAnswers(store, ask, onError);
    const { settings } = this;
    this.#agents = new AgentMaker({
      ...{ set: setUp, flags, pool, settings, keys: this.#keys, onAlways },
      ask: canAsk ? ask : undefined,
      onUnknown: canAsk ? createUnknownAsker(asking, askLine, choose) : undefined,
      elicitation: canAsk && { ask: createElicitor({ ...asking, askLine, choose }) },
      waitForTools: () => pool.ready({ within: PATIENCE, signal }),
    });
    this.talk = new WatchedTalk({
      ...{ store, folder, onError, agents: this.#agents },
      onChange: () => {
        this.#askForOthers(onError);
        onChange();
      },
    });
  }

  /** Opens the servers in the background. They are not waited for. */
  static async open(options: HostOptions): Promise<ChatHost> {
    const { setUp, flags, folder, context, note, onChange, canAsk } = options;
    // A role without tools needs no servers, but another role may be chosen later.
    const { role: _, ...forAnyRole } = flags;
    const { pool } = await openAgentServers(setUp, forAnyRole, context, {
      ...{ note, folder, onChange, areLogsShown: false, patience: 0 },
      elicitation: canAsk ? 'url' : undefined,
    });
    return new ChatHost(options, pool);
  }

  /** The tools, for commands that show them. */
  get fold(): AgentFold {
    return this.talk.agent?.fold ?? this.#fold;
  }

  /** The name of the model. Undefined if none is given. */
  get modelName(): string | undefined {
    return this.#options.model ? SCRIPTED : this.settings.model;
  }

  /** Shows a session, or a new one. Rejects as `Talk.open` does. */
  async open(id: string | undefined): Promise<void> {
    await this.talk.open(id);
    this.#follow();
  }

  /**
   * Offers to go on with a turn that stopped in its middle: nothing runs and nothing is sent before the user
   * says so.
   */
  async offerToContinue(): Promise<void> {
    const { session } = this.talk;
    if (!session || this.modelName === undefined) return;
    // Another process may have written them.
    const entries = await this.store.read(session.id);
    if (this.talk.state !== 'idle' || !isInterrupted(entries)) return;
    const facts = openFacts(entries);
    const { note, hold, choose } = this.questions;
    this.#offer = new AbortController();
    const signal = AbortSignal.any([this.#offer.signal, this.#options.context.signal]);
    const chosen = await hold(() => {
      note('The last turn stopped in its middle.');
      for (const fact of facts) note(`  ${fact}`);
      return choose(GO_ON, signal);
    }).catch(() => 'no');
    if (chosen !== 'yes') return;
    if (isInterrupted(await this.store.read(session.id))) await this.talk.resume();
    else this.#options.note('Another process has ended this turn.');
  }

  /** Shows a fork of the session. Rejects as `Talk.fork` does. */
  async fork(at?: number): Promise<void> {
    await this.talk.fork(at);
    this.#follow();
  }

  /** Replaces secrets. */
  readonly hide = (text: string): string => this.#keys.hide(text);

  /** The texts of secrets. They must never be shown. */
  get secrets(): readonly string[] {
    return this.#keys.secrets;
  }

  /** Whether the session is there when the process has ended. The demo keeps nothing. */
  get isKept(): boolean {
    return this.#options.model === undefined;
  }

  /** What the user has written in this folder, the newest first, each once. */
  history(): Promise<readonly string[]> {
    return historyOf(this.store, process.cwd());
  }

  /** Turns tools on or off. */
  setTools(on: boolean): void {
    this.settings.choose({ areToolsOn: on });
    this.talk.agent?.setTools(on);
    this.#options.onChange();
  }

  /** Changes what the next turn uses. Rejects while a turn is running, and as `AgentMaker.choose`. */
  async choose(choice: Choice): Promise<void> {
    this.talk.checkIdle();
    await this.#agents.choose(choice, this.talk.agent);
    this.#options.onChange();
  }

  /** Ends the turn and the servers. */
  async close(): Promise<void> {
    await this.talk.close();
    await this.pool.close();
  }

  /** Takes the settings of the session. */
  #follow(): void {
    this.settings.follow(this.talk.session?.entries ?? []);
  }

  /** Asks here what another process asks its user. */
  #askForOthers(onError: (error: unknown) => void): void {
    const { state, session, view, queue } = this.talk;
    if (!this.#options.canAsk) return;
    const wasElsewhere = this.#wasElsewhere;
    this.#wasElsewhere = state === 'elsewhere';
    // Another process goes on with the turn, or begins another one.
    if (this.#wasElsewhere) this.#offer?.abort();
    // The other process may have ended in the middle of its turn.
    if (wasElsewhere && state === 'idle' && queue.length === 0)
      void this.offerToContinue().catch(onError);
    this.#remote.follow(state === 'elsewhere' ? session?.id : undefined, view);
  }
}

/** The settings with one model for all names. */
function withModel(setUp: AgentSetUp, model: LanguageModel): AgentSetUp {
  const load = async () => ({ model, key: undefined, keyAdvice: '' });
  return { ...setUp, modelName: () => SCRIPTED, load };
}
