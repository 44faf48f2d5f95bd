import type { ToolRequest } from '@toolfold/core/internal/calls';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { answerOf, callAgain, type Stamp, textOf } from '@toolfold/core/internal/host';
import type { SearchHit } from '@toolfold/core/internal/search';
import {
  countRequest,
  definitionTokens,
  estimateTokens,
  type TokenCounter,
  type ToolDefinition,
} from '@toolfold/core/internal/tool';
import { type Addressed, asSentence, within } from '@toolfold/core/internal/values';
import {
  isNotRunBySdk,
  isUnknownToSdk,
  type ReadMessage,
  type ResponseNote,
} from '../messages/index.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '../protocol/index.ts';
import type { ForcedChoice } from './forced-choice.ts';
import { isPreloaded } from './request-event.ts';
import { countPrompt } from './request-tokens.ts';
import { PRELOADED } from './segments.ts';

/** The texts and tools at the tail of a request. */
export interface RequestTail {
  readonly texts: readonly string[];
  readonly appended: readonly ToolDefinition[];
  /** The names of the preloaded tools. */
  readonly names: readonly string[];
  /** The names of those preloaded tools whose schema is in a text. */
  readonly shown: readonly string[];
}

interface TailInputs {
  readonly preload: ChoosePreload | undefined;
  readonly notice: Notice | undefined;
  readonly countTokens: TokenCounter;
  readonly warn: (text: string) => void;
}

/** Builds the tail. What a forced choice adds is its end. `appends`: the form of a tool that can be appended. */
export async function tailOf(
  { preload, notice, countTokens, warn }: TailInputs,
  { prompt, abortSignal }: LanguageModelV4CallOptions,
  turn: ToolRequest,
  forced: ForcedChoice,
  appends: (tool: ToolDefinition) => ToolDefinition | undefined,
): Promise<RequestTail> {
  const ofChoice = {
    texts: forced.text === undefined ? [] : [forced.text],
    appended: forced.appended ? [forced.appended] : [],
  };
  // Most folds have neither.
  if (!preload && !notice) return { ...ofChoice, names: [], shown: [] };
  const view = viewTurn(prompt, turn);
  const mayPreload = turn.epoch.strategy.defers !== 'nothing' && forced.text === undefined;
  // Preloading only saves requests. A request is sent without it too.
  const preloadNothing = (error: unknown) => {
    abortSignal?.throwIfAborted();
    warn(
      `Nothing was preloaded for a message, because choosing the schemas failed: ${asSentence(errorMessage(error))} Correct the search or the function \`preload\`. The turn continues without.`,
    );
    return [];
  };
  const preloaded =
    preload && mayPreload
      ? await preloadFor(preload, view, prompt, turn, countTokens, abortSignal).catch(
          preloadNothing,
        )
      : [];
  const appended = preloaded.flatMap((tool) => appends(tool) ?? []);
  const names = new Set(appended.map(({ name }) => name));
  const shownAsText = preloaded.filter(({ name }) => !names.has(name));
  const text = notice?.(view);
  return {
    texts: [
      ...(shownAsText.length > 0 ? [preloadText(shownAsText, turn)] : []),
      ...(text === undefined ? [] : [text]),
      ...ofChoice.texts,
    ],
    appended: [...appended, ...ofChoice.appended],
    names: preloaded.map(({ name }) => name),
    shown: shownAsText.map(({ name }) => name),
  };
}

/** The note of the session with everything else that later requests must find in the messages. */
export function completeNote(
  note: ResponseNote | undefined,
  { definition }: ForcedChoice,
  { texts, appended, shown }: RequestTail,
  { errors, outputs }: Required<Pick<ResponseNote, 'errors' | 'outputs'>>,
): ResponseNote | undefined {
  const all: ResponseNote = {
    ...note,
    ...(texts.length > 0 ? { inserts: [...(note?.inserts ?? []), ...texts] } : {}),
    ...(shown.length > 0 ? { shown } : {}),
    ...(definition === undefined ? {} : { declared: [definition.name] }),
    ...(appended.length > 0 ? { appended } : {}),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The state of a conversation when a request is built. It is a function of the messages. */
export interface TurnView {
  /** The last message of the user. */
  readonly user: string;
  /** The last assistant message before that message. */
  readonly assistant?: string;
  /** The message of the user is the last message. */
  readonly isNew: boolean;
  /** Number of assistant messages since then that called real tools. Loading and searching do not count. */
  readonly rounds: number;
}

/** A new turn of the user, with the tools that may be preloaded for it. */
export interface PreloadTurn extends TurnView {
  /** The known tools that are not declared. */
  readonly tools: readonly Addressed[];
  /**
   * Searches these tools. Finds nothing if no tool fits the query, or if the scores of the search cannot be
   * compared between searches.
   */
  readonly search: (query: string, limit: number) => readonly SearchHit[];
  /** Whether the conversation already contains the schema. */
  readonly hasShown: (name: string) => boolean;
  /** Tokens of a schema; undefined if the tool has not loaded. */
  readonly tokensOf: (name: string) => number | undefined;
  /** About the tokens of the request so far: a load sends them once more. */
  readonly requestTokens: () => number;
}

/** Chooses the tools whose schemas are preloaded, best first. Must be pure. */
export type ChoosePreload = (turn: PreloadTurn) => readonly string[];

/** Returns a text for the tail of a request. Later requests keep it. Must be pure. */
export type Notice = (turn: TurnView) => string | undefined;

/** Maximum number of schemas and of tokens that are preloaded for one turn. */
const MAX_SCHEMAS = 3;
const MAX_TOKENS = 1_500;
/** The model hardly matters where tokens are only estimated. */
const ANY_MODEL = { provider: '', modelId: '' };
/** Milliseconds that a request waits for loaders of schemas to preload. */
const LOAD_TIMEOUT = 1_000;

/** Reads the state of the conversation from a prompt. */
function viewTurn(prompt: LanguageModelV4Prompt, turn: ToolRequest): TurnView {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const before = prompt.findLast(({ role }, index) => index < at && role === 'assistant');
  const answers = prompt.slice(at + 1).filter(({ role }) => role === 'assistant');
  const isRound = (message: LanguageModelV4Message) =>
    message.role === 'assistant' &&
    // Calls of real tools have the real name. A call under a bridge name loaded, searched or failed.
    message.content.some(
      (part) => part.type === 'tool-call' && turn.bridgeKind(part.toolName) === undefined,
    );
  const assistant = before && textOfMessage(before);
  return {
    user: at < 0 ? '' : textOfMessage(prompt[at]),
    ...(assistant ? { assistant } : {}),
    isNew: at >= 0 && at === prompt.length - 1,
    rounds: answers.filter(isRound).length,
  };
}

/**
 * The definitions to preload, within the limits. Loads only groups with a tool that fits the user's message or
 * that is chosen.
 */
async function preloadFor(
  choose: ChoosePreload,
  view: TurnView,
  prompt: LanguageModelV4Prompt,
  turn: ToolRequest,
  countTokens: TokenCounter,
  signal: AbortSignal | undefined,
): Promise<ToolDefinition[]> {
  if (!view.isNew || view.user.trim() === '') return [];
  const find = await turn.finder(signal);
  const define = (name: string) => {
    const entry = turn.lookUp(name);
    return entry && turn.isActive(entry) ? turn.definitionOf(entry) : undefined;
  };
  const tokensOf = (name: string) => {
    const definition = define(name);
    return definition && definitionTokens(definition, countTokens);
  };
  const hasShown = (name: string) => turn.hasShown(name) || isPreloaded(turn, name);
  const state = {
    ...view,
    search: (query: string, limit: number) =>
      find(query, limit)
        .filter(({ isComparable, fits }) => isComparable && fits)
        .map(({ entry, score, relevance }) => ({
          ...{ key: entry.name, score },
          ...(relevance === undefined ? {} : { relevance }),
        })),
    hasShown,
    requestTokens: () => requestTokensOf(prompt, turn),
  };
  let tools = turn.findable();
  const waiting = tools.filter((entry) => !turn.isReady(entry));
  if (waiting.length > 0) {
    const found = find(view.user, MAX_SCHEMAS + 1).flatMap(({ entry, fits }) =>
      fits ? entry : [],
    );
    const loading = new Set(found.map(({ groupId }) => groupId));
    // A first choice tells which other groups to load. It takes schemas that have not loaded for empty ones.
    const wanted = waiting.some(({ groupId }) => !loading.has(groupId))
      ? choose({ ...state, tools, tokensOf: (name) => tokensOf(name) ?? 0 })
          .slice(0, MAX_SCHEMAS)
          .flatMap((name) => turn.lookUp(name) ?? [])
          .filter((entry) => turn.isActive(entry))
      : [];
    // A slower loader continues, so that the next turn has its schemas.
    await within(LOAD_TIMEOUT, turn.load([...found, ...wanted], signal));
    signal?.throwIfAborted();
    tools = turn.findable();
  }
  const names = choose({ ...state, tools, tokensOf });
  let left = MAX_TOKENS;
  return [...new Set(names)]
    .filter((name) => !hasShown(name))
    .flatMap((name) => define(name) ?? [])
    .filter((definition) => {
      left -= definitionTokens(definition, countTokens);
      return left >= 0;
    })
    .slice(0, MAX_SCHEMAS);
}

/** About the tokens of a request before its tail: the messages, and what Toolfold adds to them. */
function requestTokensOf(prompt: LanguageModelV4Prompt, { presentation }: ToolRequest): number {
  const { system, messages } = countPrompt({ prompt }, ANY_MODEL, estimateTokens);
  const added = countRequest(presentation, estimateTokens);
  return system + messages + added.total;
}

/** The definitions as a text, for requests that cannot append them. */
function preloadText(definitions: readonly ToolDefinition[], turn: ToolRequest): string {
  const dispatcher = turn.dispatcher();
  const how = dispatcher === undefined ? '' : ` through ${dispatcher}`;
  return `${PRELOADED} If they do, call them at once${how}; if not, pass them over. ${JSON.stringify({ schemas: definitions })}]`;
}

function textOfMessage(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export interface Unanswered {
  /** Error texts by call id, without those that Toolfold stamped on the call. */
  readonly errors: Readonly<Record<string, string>>;
  /** Outputs by call id of tools that have their own `toModelOutput`. */
  readonly outputs: Readonly<Record<string, LanguageModelV4ToolResultOutput>>;
  /** Calls that were refused: by the user, by the SDK if its set is a copy, or by Toolfold. */
  readonly refused: readonly {
    readonly id: string;
    readonly name: string;
    readonly wireName: string;
    readonly error: string;
    /** Toolfold refused the call and has already reported it. */
    readonly isOurs: boolean;
  }[];
}

/** Reads the tool results that no response has answered yet. */
export function unanswered(
  prompt: readonly ReadMessage<LanguageModelV4Message>[],
  hasOwnOutput: (toolName: string) => boolean,
): Unanswered {
  const last = prompt.findLastIndex(({ message }) => message.role === 'assistant');
  const calls = new Map<string, { stamp: Stamp; input: unknown }>();
  for (const { part, written } of prompt[last]?.calls ?? [])
    if (written) calls.set(part.toolCallId, { stamp: written.stamp, input: part.input });
  const errors: [string, string][] = [];
  const outputs: [string, LanguageModelV4ToolResultOutput][] = [];
  const refused: Unanswered['refused'][number][] = [];
  for (const { message } of prompt.slice(last + 1)) {
    for (const part of message.role === 'tool' ? message.content : []) {
      if (part.type !== 'tool-result') continue;
      const { toolCallId: id, toolName: name, output } = part;
      const call = calls.get(id);
      const isUnread = isNotRunBySdk(output);
      const isOurs =
        call !== undefined &&
        answerOf(call.stamp, { name, input: call.input, isUnread }) !== undefined;
      const common = { id, name, wireName: call?.stamp.n ?? name, isOurs };
      if (output.type === 'execution-denied') refused.push({ ...common, error: 'denied' });
      else if (isOurs) continue;
      else if (isUnknownToSdk(output, name)) {
        refused.push({ ...common, error: 'call_again' });
        errors.push([id, textOf(callAgain(name))]);
      } else if (hasOwnOutput(name)) outputs.push([id, output]);
      else if (output.type === 'error-text') errors.push([id, output.value]);
    }
  }
  return { errors: Object.fromEntries(errors), outputs: Object.fromEntries(outputs), refused };
}
