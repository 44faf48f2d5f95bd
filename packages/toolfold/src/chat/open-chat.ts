import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { memoryStore } from '@toolfold/agent/internal/sqlite';
import { textOf } from '@toolfold/agent/internal/state';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, raceAbort } from '@toolfold/core/internal/values';
import type { LanguageModel } from 'ai';
import type { AgentSetUp } from '../agents/index.ts';
import {
  type Conversation,
  type OpenConversationOptions,
  type Opened,
  openConversation,
} from '../conversations/index.ts';
import { Keys } from '../models/index.ts';
import {
  type Answer,
  type Ask,
  byStep,
  type Question,
  type QuestionStep,
} from '../questions/index.ts';
import { showPageWith } from '../servers/index.ts';
import { findSession, openStore, WaitingMessages } from '../stored-sessions/index.ts';
import type { AgentFlags, CommandContext } from '../terminal/index.ts';
import { harmlessInput } from './input.ts';

/** The flags of `toolfold chat`. */
export interface ChatOptions extends AgentFlags {
  /** Go on with the last session of this folder. */
  readonly continue?: true;
  /** The id of a session or its beginning; true to choose it from a list. */
  readonly resume?: string | true;
  /** On the main screen instead of the alternate one. */
  readonly inline?: true;
  readonly demo?: true;
}

/** What the user typed. */
export interface ChatRequest {
  readonly message: string | undefined;
  readonly options: ChatOptions;
}

/** What a surface gives to its chat. */
export interface ChatSurface
  extends Pick<OpenChatOptions, 'canAsk' | 'ask' | 'onChange' | 'note' | 'take'> {
  readonly context: CommandContext;
}

/** Works with a chat. `first`: the session to go on with. */
export type ChatWork = (chat: Chat, first: string | undefined) => Promise<void>;

/**
 * Opens what the flags name: sessions, configuration and servers. Runs `work` with them, and closes them when
 * it has ended. Rejects as `work` does, with `session-unknown`, and as `openChat` does.
 */
export async function withChat(
  flags: ChatOptions,
  surface: ChatSurface,
  work: ChatWork,
): Promise<void> {
  if (flags.demo) return withDemo(flags, surface, work);
  const store = await openStore(surface, surface.context.unwritten);
  try {
    const first = await sessionOf(store, flags);
    // What comes from a pipe is not asked about.
    const waiting = surface.canAsk ? new WaitingMessages() : undefined;
    await using chat = await openChat({
      ...{ ...surface, store, flags, waiting, folder: process.cwd() },
    });
    await work(chat, first);
  } finally {
    await surface.context.unwritten.settled();
    await store.close();
  }
}

/** Six servers and a scripted model in a temporary folder. Nothing is kept. */
async function withDemo(options: ChatOptions, surface: ChatSurface, work: ChatWork): Promise<void> {
  const { startDemo } = await import('../demo/demo.ts');
  await using demo = await startDemo();
  const { model, workplace } = demo;
  const { folder, config } = workplace;
  await using chat = await openChat({
    ...{ ...surface, store: memoryStore(), folder, model, noteConfig: () => {} },
    flags: { ...options, config },
  });
  await work(chat, undefined);
}

/** The session that the flags name. Rejects with `session-unknown` if there is none. */
async function sessionOf(
  store: SessionStore,
  { continue: last, resume }: ChatOptions,
): Promise<string | undefined> {
  if (typeof resume === 'string') return (await findSession(store, resume)).id;
  if (!last) return;
  const [record] = await store.list({ folder: process.cwd(), limit: 1 });
  if (record) return record.id;
  throw new ToolfoldError(
    'session-unknown',
    'There is no session in this folder.',
    'Begin one: toolfold chat.',
  );
}

/** A conversation with what it was opened with, and the question that is open in it. */
export interface Chat
  extends Pick<Opened, 'settings' | 'pool' | 'logins' | 'fold' | 'wayBack' | 'close'>,
    AsyncDisposable {
  readonly talk: Conversation;
  readonly questions: Questions;
  readonly setUp: AgentSetUp;
  readonly store: SessionStore;
  /** Whether the session is there when the process has ended. The demo keeps nothing. */
  readonly isKept: boolean;
  /** Replaces secrets. */
  readonly hide: (text: string) => string;
  /** What the user has written in this folder, the newest first, each once. */
  readonly history: () => Promise<readonly string[]>;
  /** The name of the model. Undefined if none is given. */
  readonly modelName: string | undefined;
}

/** What a chat is opened with. */
interface OpenChatOptions
  extends Pick<
      OpenConversationOptions,
      'flags' | 'store' | 'folder' | 'context' | 'env' | 'take' | 'note'
    >,
    Pick<OpenConversationOptions, 'noteConfig' | 'waiting'> {
  /** Whether the user is asked on a screen. Without it and `ask`, calls that need approval wait in the session. */
  readonly canAsk: boolean;
  /** Asks in lines, during turns alone. */
  readonly ask?: Ask | undefined;
  /** A model in place of those that are loaded by name. */
  readonly model?: LanguageModel | undefined;
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
}

/** Sessions whose messages are offered again, and most messages. */
const SESSIONS = 20;
const MOST = 500;

/** What stands for the name of a model that was not loaded by name. */
const SCRIPTED = 'demo/scripted';

/** Opens the servers in the background. They are not waited for. Rejects as `openConversation`. */
export async function openChat(options: OpenChatOptions): Promise<Chat> {
  const { context, canAsk, model, onChange, note, store } = options;
  const isKept = model === undefined;
  const keys = new Keys(process.env);
  const { hide } = keys;
  const questions = new Questions(onChange, hide);
  const say = (text: string) => note(hide(text));
  const ask = canAsk ? questions.ask : options.ask;
  const asking = {
    ...{ ask, note: say, signal: context.signal, canSave: true, hasLoginCommand: true },
    openPage: canAsk ? showPageWith(say) : undefined,
  };
  const opened = await openConversation({
    ...{ ...options, keys, starts: 'later', areLogsShown: false, isKept },
    asking: ask && asking,
    elicitation: canAsk ? 'url' : ask && 'form',
    change: (set) => (model ? withModel(set, model) : set),
    watch: { onChange, onError: (error) => note(errorMessage(error)) },
  });
  const { conversation: talk, set: setUp, settings, pool, fold, wayBack, close, logins } = opened;
  logins?.follow();
  return {
    ...{
      talk,
      questions,
      setUp,
      settings,
      pool,
      logins,
      store,
      isKept,
      hide,
      fold,
      wayBack,
      close,
    },
    history: () => historyOf(store, process.cwd()),
    get modelName() {
      return isKept ? settings.modelOf() : SCRIPTED;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The settings with one model for all names. */
function withModel(setUp: AgentSetUp, model: LanguageModel): AgentSetUp {
  const load = async () => ({ model, key: undefined, keyAdvice: '' });
  return { ...setUp, modelName: () => SCRIPTED, load };
}

/** What the user has written in this folder, the newest first, each once. It is read from the sessions. */
async function historyOf(store: SessionStore, folder: string): Promise<readonly string[]> {
  const said = new Set<string>();
  for (const { id } of await store.list({ folder, limit: SESSIONS })) {
    const entries = await store.read(id);
    for (const { kind, body } of entries.toReversed()) {
      if (kind !== 'user') continue;
      const message = ownProperty(body, 'message') as Parameters<typeof textOf>[0];
      const text = harmlessInput(textOf(message)).trim();
      if (text !== '') said.add(text);
      if (said.size >= MOST) return [...said];
    }
  }
  return [...said];
}

/** A step of a question that is open, with the lines that stand above it. */
export interface OpenQuestion extends QuestionStep {
  /** The question that the step belongs to. */
  readonly about: Question;
  readonly lines: readonly string[];
  /** Whether it follows from an answer that the user has given just now. */
  readonly isFollowUp: boolean;
  /** Gives the answer: the id of a choice, or a line if there are no choices. Undefined: no answer will come. */
  readonly answer: (answer: string | undefined) => void;
  /** Closes the question without an answer: whoever has asked gets an error. */
  readonly dismiss: () => void;
}

/** The question that is open on a screen. `onChange` is called when another step is open, or none. */
export class Questions {
  readonly #onChange: () => void;
  readonly #hide: (text: string) => string;
  #open: OpenQuestion | undefined;
  /** The last step of the question that is asked now. */
  #before: OpenQuestion | undefined;
  #lines: string[] = [];

  /** `hide` replaces secrets. */
  constructor(onChange: () => void, hide: (text: string) => string = (text) => text) {
    this.#onChange = onChange;
    this.#hide = hide;
  }

  /** The step that is open. */
  get open(): OpenQuestion | undefined {
    return this.#open;
  }

  /** Asks. Rejects with the reason of the signal, and if the question is dismissed. One at a time. */
  readonly ask: Ask = async (question, signal): Promise<Answer | undefined> => {
    this.#before = undefined;
    this.#lines = [];
    return byStep({
      show: (text) => this.#lines.push(...this.#hide(text).split('\n')),
      askLine: (text, signal) =>
        this.#step(question, { text: text.replace(/[ >]+$/, ''), choices: [], marked: '' }, signal),
      choose: (step, signal) => this.#step(question, step, signal),
    })(question, signal);
  };

  async #step(
    about: Question,
    step: QuestionStep,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    // It closes at once: the next key is not for it, even if it comes together with the answer.
    const close = (): void => {
      this.#open = undefined;
      this.#onChange();
    };
    const answer = (given: string | undefined): void => {
      close();
      resolve(given);
    };
    const dismiss = (): void => {
      close();
      reject(new Error('The question was closed here without an answer.'));
    };
    const { text, choices, marked } = step;
    const isFollowUp = this.#before !== undefined;
    const lines = this.#lines.splice(0);
    this.#open = { about, text, choices, marked, lines, isFollowUp, answer, dismiss };
    this.#before = this.#open;
    this.#onChange();
    try {
      return await raceAbort(promise, signal);
    } catch (error) {
      close();
      throw error;
    }
  }
}
