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
  foldOf,
  type LoadedModel,
  noModel,
  openAgentServers,
  remarksOn,
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

/** What a session keeps of its settings. */
interface SessionSettings {
  readonly model?: string;
  readonly role?: string | null;
  readonly strategy?: string;
  readonly routing?: string;
}

/** What may be chosen in a chat. Null for no role. */
export interface Choice {
  readonly role?: string | null;
  readonly model?: string;
  readonly strategy?: NonNullable<AgentFlags['strategy']>;
  readonly routing?: NonNullable<AgentFlags['routing']>;
}

interface UsedModel extends Pick<LoadedModel, 'model' | 'keyAdvice'> {
  readonly name: string;
}

/** The servers, the model and the conversation of a chat. */
export class ChatHost {
  readonly questions: Questions;
  readonly talk: Talk;
  readonly setUp: AgentSetUp;
  readonly store: SessionStore;
  readonly pool: ServerPool;
  readonly #options: HostOptions;
  readonly #approver: Approver;
  readonly #remote: RemoteAnswers;
  #flags: AgentFlags;
  #model: UsedModel | undefined;
  #fold: Fold<ToolSet>;
  #secrets: readonly string[] = [];
  #areToolsOn = true;
  /** The settings that the session has kept. */
  #recorded: SessionSettings = {};

  private constructor(options: HostOptions, pool: ServerPool) {
    const { setUp, flags, store, folder, onChange, note } = options;
    this.#options = options;
    this.#flags = flags;
    this.setUp = setUp;
    this.store = store;
    this.pool = pool;
    this.#fold = foldOf(setUp, flags, { pool, team: undefined });
    this.questions = new Questions(onChange, note);
    const onError = (error: unknown) => note(errorMessage(error));
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
    const { pool } = await openAgentServers(setUp, flags, context, {
      patience: 0,
      onEvent: (event: PoolEvent) => {
        // The status line and /tools show the states of servers.
        if (!canAsk || event.kind === 'warning') for (const line of remarksOn(event)) note(line);
        onChange();
      },
      requests: {
        elicitation: canAsk ? 'url' : undefined,
        sampling: true,
        roots: [folder],
        logLevel: 'warning',
      },
    });
    return new ChatHost(options, pool);
  }

  /** The tools, for commands that show them. */
  get fold(): Fold<ToolSet> {
    return this.#fold;
  }

  get flags(): AgentFlags {
    return this.#flags;
  }

  get areToolsOn(): boolean {
    return this.#areToolsOn;
  }

  /** The name of the model. Undefined if none is given. */
  get modelName(): string | undefined {
    if (this.#options.model) return 'demo/scripted';
    const { model, role } = this.#flags;
    return this.#model?.name ?? model ?? this.#recorded.model ?? this.setUp.modelName(role);
  }

  /** The role, the strategy and the routing that the next turn uses, as far as they were chosen. */
  get settings(): SessionSettings {
    const { role, strategy, routing } = this.#flags;
    return {
      ...this.#recorded,
      ...(role === undefined ? {} : { role }),
      ...(strategy === undefined ? {} : { strategy }),
      ...(routing === undefined ? {} : { routing }),
    };
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
    const facts = openFacts(session?.entries ?? []);
    const { note, hold, askLine } = this.questions;
    const line = await hold(() => {
      note('The last turn stopped in its middle.');
      for (const fact of facts) note(`  ${fact}`);
      return askLine('Go on with it? y: yes, n: no', this.#options.context.signal, 'yn');
    });
    if (line?.trim().toLowerCase().startsWith('y')) await this.talk.resume();
  }

  /** Shows a fork of the session. Rejects as `Talk.fork` does. */
  async fork(at?: number): Promise<void> {
    await this.talk.fork(at);
    this.#follow();
  }

  /** Replaces secrets. */
  readonly hide = (text: string): string => redact(text, this.#secrets);

  /** Turns tools on or off. */
  setTools(on: boolean): void {
    this.#areToolsOn = on;
    this.talk.agent?.setTools(on);
    this.#options.onChange();
  }

  /** Changes what the next turn uses. Rejects with the errors of the model, the role and the agent. */
  async choose({ model, role, strategy, routing }: Choice): Promise<void> {
    const loaded = model === undefined ? undefined : await this.#load(model);
    const changes = {
      ...(loaded ? { model: loaded.model } : {}),
      ...(role === undefined ? {} : { role }),
      ...(strategy === undefined ? {} : { strategy }),
      ...(routing === undefined ? {} : { routing }),
    };
    this.talk.configure(changes);
    if (loaded) this.#model = loaded;
    const { role: before, ...flags } = this.#flags;
    const next = role === undefined ? before : (role ?? undefined);
    this.#flags = {
      ...flags,
      ...(next === undefined ? {} : { role: next }),
      ...(model === undefined ? {} : { model }),
      ...(strategy === undefined ? {} : { strategy }),
      ...(routing === undefined ? {} : { routing }),
    };
    this.#options.onChange();
  }

  /** Ends the turn and the servers. */
  async close(): Promise<void> {
    await this.talk.close();
    await this.pool.close();
  }

  /** Takes the settings of the session. */
  #follow(): void {
    const entry = this.talk.session?.entries.findLast(({ kind }) => kind === 'settings');
    this.#recorded = (entry?.body ?? {}) as SessionSettings;
    this.#model = undefined;
    this.#areToolsOn = true;
  }

  async #load(name: string): Promise<UsedModel> {
    const { model } = this.#options;
    if (model) return { name: 'demo/scripted', model, keyAdvice: '' };
    const loaded = await this.setUp.load(name);
    if (loaded.key !== undefined) this.#hideAlso([loaded.key]);
    return { ...loaded, name };
  }

  async #prepare(): Promise<Prepared> {
    const { setUp, context, canAsk } = this.#options;
    const name = this.modelName;
    if (name === undefined) throw noModel();
    this.#model ??= await this.#load(name);
    const { model, keyAdvice } = this.#model;
    const flags = this.#flags;
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
        if (!this.#areToolsOn) agent.setTools(false);
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

  /** Asks here what another process asks its user. */
  #askForOthers(): void {
    const { state, session, view } = this.talk;
    if (this.#options.canAsk)
      this.#remote.follow(state === 'elsewhere' ? session?.id : undefined, view);
  }

  #hideAlso(secrets: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...secretTexts(secrets)];
  }
}
