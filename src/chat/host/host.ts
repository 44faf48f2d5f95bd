import type { LanguageModel } from 'ai';
import type { AgentEvent, AgentFold } from '../../agent/index.ts';
import type { AgentFlags } from '../../app/agents/flags/index.ts';
import type { AgentSetUp } from '../../app/agents/index.ts';
import {
  type Choice,
  type Conversation,
  type Opened,
  openConversation,
  type Settings,
} from '../../app/conversations/index.ts';
import { Keys } from '../../app/models/index.ts';
import { showPageWith } from '../../app/servers/index.ts';
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
  /** The environment in place of that of the process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
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
  readonly talk: Conversation;
  readonly questions: Questions;
  readonly setUp: AgentSetUp;
  readonly settings: Settings;
  readonly pool: ServerPool;
  readonly store: SessionStore;
  /** Whether the session is there when the process has ended. The demo keeps nothing. */
  readonly isKept: boolean;
  /** Replaces secrets. */
  readonly hide: (text: string) => string;
  readonly #opened: Opened;

  private constructor({ store, model }: HostOptions, opened: Opened, questions: Questions) {
    const { conversation, set, settings, pool, keys } = opened;
    this.talk = conversation;
    this.questions = questions;
    this.setUp = set;
    this.settings = settings;
    this.pool = pool;
    this.store = store;
    this.isKept = model === undefined;
    this.hide = keys.hide;
    this.#opened = opened;
  }

  /** Opens the servers in the background. They are not waited for. Rejects as `openConversation`. */
  static async open(options: HostOptions): Promise<ChatHost> {
    const { context, canAsk, model, onChange, note } = options;
    const keys = new Keys(process.env);
    const questions = new Questions(onChange, keys.hide);
    const say = (text: string) => note(keys.hide(text));
    const openPage = showPageWith(say);
    const asking = { ask: questions.ask, signal: context.signal, canSave: true, openPage };
    const opened = await openConversation({
      ...{ ...options, keys, starts: 'later', areLogsShown: false, isKept: model === undefined },
      asking: canAsk ? { ...asking, note: say } : undefined,
      elicitation: canAsk ? 'url' : undefined,
      change: (set) => (model ? withModel(set, model) : set),
      watch: { onChange, onError: (error) => note(errorMessage(error)) },
    });
    opened.logins?.follow();
    return new ChatHost(options, opened, questions);
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

  /** What the user has written in this folder, the newest first, each once. */
  history(): Promise<readonly string[]> {
    return historyOf(this.store, process.cwd());
  }

  /** Changes what the next turn uses. Rejects while a turn is running, and as `Conversation.choose`. */
  choose(choice: Choice): Promise<void> {
    return this.talk.choose(choice);
  }

  /** Offers to go on with a turn that stopped in its middle. */
  offerToContinue(): Promise<void> {
    return this.talk.offerToContinue();
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
