import { within } from '@toolfold/core/internal/time-limit.ts';
import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import type { Addressed } from '@toolfold/core/internal/tools/registry/globs';
import type { SearchHit } from '@toolfold/core/internal/tools/search';
import {
  countRequest,
  definitionTokens,
  estimateTokens,
} from '@toolfold/core/internal/tools/tokens';
import type { TokenCounter, ToolDefinition } from '@toolfold/core/internal/tools/tool';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '../protocol/index.ts';
import { countPrompt, isPreloaded, PRELOADED } from './facts/index.ts';

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
export function viewTurn(prompt: LanguageModelV4Prompt, turn: ToolRequest): TurnView {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const before = prompt.findLast(({ role }, index) => index < at && role === 'assistant');
  const answers = prompt.slice(at + 1).filter(({ role }) => role === 'assistant');
  const isRound = (message: LanguageModelV4Message) =>
    message.role === 'assistant' &&
    // Calls of real tools have the real name. A call under a bridge name loaded, searched or failed.
    message.content.some(
      (part) => part.type === 'tool-call' && turn.bridgeKind(part.toolName) === undefined,
    );
  const assistant = before && textOf(before);
  return {
    user: at < 0 ? '' : textOf(prompt[at]),
    ...(assistant ? { assistant } : {}),
    isNew: at >= 0 && at === prompt.length - 1,
    rounds: answers.filter(isRound).length,
  };
}

/**
 * The definitions to preload, within the limits. Loads only groups with a tool that fits the user's message or
 * that is chosen.
 */
export async function preloadFor(
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
export function preloadText(definitions: readonly ToolDefinition[], turn: ToolRequest): string {
  const dispatcher = turn.dispatcher();
  const how = dispatcher === undefined ? '' : ` through ${dispatcher}`;
  return `${PRELOADED} If they do, call them at once${how}; if not, pass them over. ${JSON.stringify({ schemas: definitions })}]`;
}

function textOf(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
