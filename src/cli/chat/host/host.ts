import type { LanguageModel, ToolSet } from 'ai';
import type { Fold } from '../../../ai-sdk/index.ts';
import { errorMessage } from '../../../errors.ts';
import type { PoolEvent, ServerPool } from '../../../mcp/index.ts';
import { redact, secretTexts } from '../../../mcp/secrets/index.ts';
import type { SessionStore } from '../../../sessions/index.ts';
import type { AgentFlags } from '../../agents/flags/index.ts';
import {
  type AgentSetUp,
  agentOf,
  apiKeys,
  foldOf,
  type LoadedModel,
  noModel,
  openAgentServers,
  remarksOn,
  serverRemarks,
  shortPath,
  teamOf,
  withKeyAdvice,
} from '../../agents/index.ts';
import {
  type Approver,
  createApprover,
  createUnknownAsker,
  saveApproval,
} from '../../approvals/index.ts';
import { createElicitor } from '../../elicitations/index.ts';
import type { CommandContext } from '../../terminal/index.ts';
import { type Prepared, Questions, Talk } from '../talk/index.ts';
import { ChatSettings, type Choice } from './chat-settings.ts';
import { isInterrupted, openFacts } from './open-calls.ts';
import { RemoteAnswers } from './remote-answers.ts';

/** Milliseconds that the first turn waits for servers whose tools are not known yet. */
const PATIENCE = 2000;

/** What a chat is opened with. */
export interface HostOptions {
  readonly setUp: AgentSetUp;
  readonly flags: AgentFlags;
  readonly store: SessionStore;
  /** The folder in which the user works. */
  readonly folder: string;
  readonly context: CommandContext;
  /** Whether the user can be asked. Without, calls that need approval wait in the session. */
  readonly canAsk: boolean;
  /** A model in place of those that are loaded by name. */
  readonly model?: LanguageModel | undefined;
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
  /** Shows a line of the chat itself. */
  readonly note: (text: string) => void;
}

type UsedModel = Pick<LoadedModel, 'model' | 'keyAdvice'>;

/** What stands for the name of a model that was not loaded by name. */
const SCRIPTED = 'demo/scripted';

/** The servers, the model and the conversation of a chat. */
export class ChatHost {
  readonly questions: Questions;
  readonly talk: Talk;
  readonly setUp: AgentSetUp;
  readonly settings: ChatSettings;
  readonly store: SessionStore;
  readonly pool: ServerPool;
  readonly #options: HostOptions;
  readonly #approver: Approver;
  readonly #remote: RemoteAnswers;
  #wasElsewhere = false;
  #model: UsedModel | undefined;
  #fold: Fold<ToolSet>;
  #secrets: readonly string[] = secretTexts(apiKeys(process.env));

  private constructor(options: HostOptions, pool: ServerPool) {
    const { setUp, flags, store, folder, onChange, note } = options;
    this.#options = options;
    this.settings = new ChatSettings(setUp, flags);
    this.setUp = setUp;
    this.store = store;
    this.pool = pool;
    this.#fold = foldOf(setUp, flags, { pool, team: undefined });
    this.questions = new Questions(onChange, note);
    const onError = this.#onError;
    this.#approver = this.#makeApprover();
    this.#remote = new RemoteAnswers(store, this.#approver.ask, onError);
    this.talk = new Talk({
      ...{ store, folder, onError },
      prepare: () => this.#prepare(),
      onChange: () => {
        this.#askForOthers();
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
      patience: 0,
      onEvent: (event: PoolEvent) => {
        for (const line of remarksOn(event)) note(line);
        onChange();
      },
      requests: {
        elicitation: canAsk ? 'url' : undefined,
        sampling: true,
        roots: [folder],
        logLevel: 'warning',
      },
    });
    for (const line of pool.servers.flatMap(serverRemarks)) note(line);
    return new ChatHost(options, pool);
  }

  /** The tools, for commands that show them. */
  get fold(): Fold<ToolSet> {
    return this.#fold;
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
    const { state, view, session } = this.talk;
    if (state !== 'idle' || !isInterrupted(view) || this.modelName === undefined) return;
    // Another process may have written them.
    const facts = openFacts(session ? await this.store.read(session.id) : []);
    const { note, hold, askLine } = this.questions;
    const line = await hold(() => {
      note('The last turn stopped in its middle.');
      for (const fact of facts) note(`  ${fact}`);
      return askLine('Go on with it? y: yes, n: no', this.#options.context.signal, 'yn');
    }).catch(() => 'n');
    if (line?.trim().toLowerCase().startsWith('y')) await this.talk.resume();
  }

  /** Shows a fork of the session. Rejects as `Talk.fork` does. */
  async fork(at?: number): Promise<void> {
    await this.talk.fork(at);
    this.#follow();
  }

  /** Replaces secrets. */
  readonly hide = (text: string): string => redact(text, this.#secrets);

  /** The texts of secrets. They must never be shown. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  /** Whether the session is there when the process has ended. The demo keeps nothing. */
  get isKept(): boolean {
    return this.#options.model === undefined;
  }

  /** Turns tools on or off. */
  setTools(on: boolean): void {
    this.settings.setTools(on);
    this.talk.agent?.setTools(on);
    this.#options.onChange();
  }

  /** Changes what the next turn uses. Rejects with the errors of the model, the role and the agent. */
  async choose(choice: Choice): Promise<void> {
    const { model: name, ...rest } = choice;
    const loaded = name === undefined ? undefined : await this.#load(name);
    this.talk.configure({ ...rest, ...(loaded ? { model: loaded.model } : {}) });
    if (loaded) this.#model = loaded;
    this.settings.choose(choice);
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
    this.#model = undefined;
  }

  async #load(name: string): Promise<UsedModel> {
    const { model } = this.#options;
    if (model) return { model, keyAdvice: '' };
    const loaded = await this.setUp.load(name);
    if (loaded.key !== undefined) this.#hideAlso([loaded.key]);
    return loaded;
  }

  async #prepare(): Promise<Prepared> {
    const { setUp, flags, context, canAsk } = this.#options;
    const name = this.modelName;
    if (name === undefined) throw noModel();
    this.#model ??= await this.#load(name);
    const { model, keyAdvice } = this.#model;
    const team = await teamOf(setUp, flags, model);
    this.#hideAlso(team?.keys ?? []);
    await this.pool.ready({ within: PATIENCE, signal: context.signal });
    this.#fold = foldOf(setUp, flags, { pool: this.pool, team });
    const { askLine } = this.questions;
    const asking = this.#asking;
    const approver = this.#approver;
    return {
      events: (turn) => withKeyAdvice(turn, model, keyAdvice),
      begin: (session) => {
        const agent = agentOf(setUp, flags, {
          ...{ model, team, session, fold: this.#fold },
          onUnknown: canAsk ? createUnknownAsker(asking, askLine) : undefined,
          elicitation: canAsk && { ask: createElicitor({ ...asking, askLine }) },
          ask: canAsk ? approver.ask : undefined,
          onAlways: approver.onAlways,
        });
        const { chosen, areToolsOn } = this.settings;
        agent.configure(chosen);
        agent.setTools(areToolsOn);
        return agent;
      },
    };
  }

  get #asking() {
    const { note, hold } = this.questions;
    const { signal } = this.#options.context;
    return { hold, signal, note: (text: string) => note(this.hide(text)) };
  }

  #makeApprover(): Approver {
    const { settings, settingsFile } = this.setUp;
    return createApprover({
      ...{ ...this.#asking, askLine: this.questions.askLine },
      allowed: settings.approvals?.allow ?? [],
      store: {
        file: shortPath(settingsFile),
        save: (tool) => saveApproval(settingsFile, tool),
      },
    });
  }

  readonly #onError = (error: unknown): void => this.#options.note(errorMessage(error));

  /** Asks here what another process asks its user. */
  #askForOthers(): void {
    const { state, session, view } = this.talk;
    if (!this.#options.canAsk) return;
    const wasElsewhere = this.#wasElsewhere;
    this.#wasElsewhere = state === 'elsewhere';
    // The other process has ended in the middle of its turn.
    if (wasElsewhere && state === 'idle' && isInterrupted(view) && this.talk.queue.length === 0)
      void this.offerToContinue().catch(this.#onError);
    this.#remote.follow(state === 'elsewhere' ? session?.id : undefined, view);
  }

  #hideAlso(secrets: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...secretTexts(secrets)];
  }
}
