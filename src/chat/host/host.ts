import type { LanguageModel } from 'ai';
import type { AgentEvent, AgentFold } from '../../agent/index.ts';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import { type AgentSetUp, Keys } from '../../app/agents/index.ts';
import {
  type Choice,
  type Conversation,
  type Opened,
  openConversation,
  type Settings,
} from '../../app/conversations/index.ts';
import type { CommandContext } from '../../app/terminal/index.ts';
import { errorMessage } from '../../errors.ts';
import type { ServerPool } from '../../mcp/index.ts';
import type { SessionStore } from '../../sessions/index.ts';
import { historyOf } from './history.ts';
import { Questions } from './questions.ts';

/** What a chat is opened with. */
export interface HostOptions {
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
  /** Shows the lines about the configuration in place of `note`. */
  readonly noteConfig?: (text: string) => void;
  /** Gets the events of each turn without secrets. */
  readonly take?: ((event: AgentEvent) => void) | undefined;
}

/** What stands for the name of a model that was not loaded by name. */
const SCRIPTED = 'demo/scripted';

/** The conversation of a chat, and the question that is open in it. */
export class ChatHost {
  readonly questions: Questions;
  readonly store: SessionStore;
  readonly #options: HostOptions;
  readonly #opened: Opened;
  readonly #keys: Keys;

  private constructor(options: HostOptions, opened: Opened, questions: Questions, keys: Keys) {
    this.#options = options;
    this.#opened = opened;
    this.#keys = keys;
    this.questions = questions;
    this.store = options.store;
  }

  /** Opens the servers in the background. They are not waited for. Rejects as `openConversation`. */
  static async open(options: HostOptions): Promise<ChatHost> {
    const { context, canAsk, model, onChange, note } = options;
    const keys = new Keys(process.env);
    const questions = new Questions(onChange, (text) => keys.hide(text));
    const { ask } = questions;
    const asking = { ask, signal: context.signal, canSave: true };
    const opened = await openConversation({
      ...{ ...options, keys, starts: 'later', areLogsShown: false, isKept: model === undefined },
      asking: canAsk ? { ...asking, note: (text) => note(keys.hide(text)) } : undefined,
      elicitation: canAsk ? 'url' : undefined,
      change: (set) => (model ? withModel(set, model) : set),
      watch: { onChange, onError: (error) => note(errorMessage(error)) },
    });
    return new ChatHost(options, opened, questions, keys);
  }

  get talk(): Conversation {
    return this.#opened.conversation;
  }

  get setUp(): AgentSetUp {
    return this.#opened.set;
  }

  get settings(): Settings {
    return this.#opened.settings;
  }

  get pool(): ServerPool {
    return this.#opened.pool;
  }

  /** The tools, for commands that show them. */
  get fold(): AgentFold {
    return this.#opened.fold();
  }

  /** The name of the model. Undefined if none is given. */
  get modelName(): string | undefined {
    return this.isKept ? this.settings.modelOf() : SCRIPTED;
  }

  /** Shows a session, or a new one. Rejects as `Conversation.open` does. */
  open(id: string | undefined): Promise<void> {
    return this.talk.open(id);
  }

  /** Offers to go on with a turn that stopped in its middle. */
  offerToContinue(): Promise<void> {
    return this.talk.offerToContinue();
  }

  /** Replaces secrets. */
  readonly hide = (text: string): string => this.#keys.hide(text);

  /** Whether the session is there when the process has ended. The demo keeps nothing. */
  get isKept(): boolean {
    return this.#options.model === undefined;
  }

  /** What the user has written in this folder, the newest first, each once. */
  history(): Promise<readonly string[]> {
    return historyOf(this.store, process.cwd());
  }

  /** Changes what the next turn uses. Rejects while a turn is running, and as `Conversation.choose`. */
  choose(choice: Choice): Promise<void> {
    return this.talk.choose(choice);
  }

  /** Ends the turn and the servers. */
  close(): Promise<void> {
    return this.#opened.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The settings with one model for all names. */
function withModel(setUp: AgentSetUp, model: LanguageModel): AgentSetUp {
  const load = async () => ({ model, key: undefined, keyAdvice: '' });
  return { ...setUp, modelName: () => SCRIPTED, load };
}
