import { textOf } from '@toolfold/agent/internal/agent/state';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { LanguageModel } from 'ai';
import type { AgentSetUp } from '../../app/agents/index.ts';
import {
  type Conversation,
  type Opened,
  type OpenOptions,
  openConversation,
} from '../../app/conversations/index.ts';
import { Keys } from '../../app/models/index.ts';
import type { Ask } from '../../app/questions/index.ts';
import { showPageWith } from '../../app/servers/index.ts';
import { harmlessInput } from '../input/index.ts';
import { Questions } from './questions.ts';

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
export interface ChatOptions
  extends Pick<OpenOptions, 'flags' | 'store' | 'folder' | 'context' | 'env' | 'take' | 'note'>,
    Pick<OpenOptions, 'noteConfig' | 'waiting'> {
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
export async function openChat(options: ChatOptions): Promise<Chat> {
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
