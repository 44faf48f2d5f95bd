import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Addressed } from '../../tools/access/index.ts';
import type { Turn } from '../../tools/calls/index.ts';
import type { SearchHit } from '../../tools/search/index.ts';
import { definitionTokens } from '../../tools/tokens/index.ts';
import type { TokenCounter, ToolDefinition } from '../../tools/tool/index.ts';

/** Where a conversation stands when a request is built: a function of its messages. */
export interface TurnView {
  /** What the user said last. */
  readonly user: string;
  /** What was last said to them before that. */
  readonly assistant?: string;
  /** Nothing has come after what the user said. */
  readonly isNew: boolean;
  /** Answers since then that called tools; loading and searching are no rounds. */
  readonly rounds: number;
}

/** A new turn of the user's, and what may be handed over with it. */
export interface PreloadTurn extends TurnView {
  /** The tools that are not declared, as far as they are known. */
  readonly tools: readonly Addressed[];
  /** What a search of them finds. */
  readonly search: (query: string, limit: number) => readonly SearchHit[];
  /** Whether the conversation has shown the schema. */
  readonly hasShown: (name: string) => boolean;
  /** Tokens of a schema; undefined where it is not known without running a loader. */
  readonly tokensOf: (name: string) => number | undefined;
}

/** Names of tools whose schemas are handed over before the model asks, best first; pure. */
export type ChoosePreload = (turn: PreloadTurn) => readonly string[];

/** Something to say at the tail of a request, once and for all; pure. */
export type Notice = (turn: TurnView) => string | undefined;

/** Schemas and tokens that one turn is handed at most. */
const MAX_SCHEMAS = 3;
const MAX_TOKENS = 1_500;
/** Milliseconds that a request waits for a loader whose schemas might be handed over. */
const PATIENCE = 1_000;

/** Reads where the conversation stands. */
export function viewTurn(prompt: LanguageModelV4Prompt, turn: Turn): TurnView {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const before = prompt.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'assistant');
  const answers = prompt.slice(at + 1).filter(({ role }) => role === 'assistant');
  const isRound = (message: LanguageModelV4Message) =>
    message.role === 'assistant' &&
    // Calls come back under their real names; a bridge's name loads, searches, or reached no tool.
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

/** The definitions to hand over, within their limits; only what the user's words find is loaded. */
export async function preloadFor(
  choose: ChoosePreload,
  view: TurnView,
  turn: Turn,
  countTokens: TokenCounter,
  signal: AbortSignal | undefined,
): Promise<ToolDefinition[]> {
  if (!view.isNew || view.user.trim() === '') return [];
  const find = await turn.finder(signal);
  const found = find(view.user, MAX_SCHEMAS + 1).map(({ entry }) => entry);
  // A loader that takes longer goes on, for the next turn.
  await atMost(PATIENCE, turn.load(found, signal));
  signal?.throwIfAborted();
  const define = (name: string) => {
    const entry = turn.lookUp(name);
    return entry && turn.isActive(entry) ? turn.definitionOf(entry) : undefined;
  };
  const tokensOf = (name: string) => {
    const definition = define(name);
    return definition && definitionTokens(definition, countTokens);
  };
  const names = choose({
    ...view,
    tools: turn.findable(),
    search: (query, limit) =>
      find(query, limit).map(({ entry, score }) => ({ key: entry.name, score })),
    hasShown: (name) => turn.hasShown(name),
    tokensOf,
  });
  let left = MAX_TOKENS;
  return [...new Set(names)]
    .filter((name) => !turn.hasShown(name))
    .flatMap((name) => define(name) ?? [])
    .filter((definition) => {
      left -= definitionTokens(definition, countTokens);
      return left >= 0;
    })
    .slice(0, MAX_SCHEMAS);
}

/** The definitions as a block of data, for requests that cannot append them. */
export function preloadText(definitions: readonly ToolDefinition[], turn: Turn): string {
  const dispatcher = turn.dispatcher();
  const how = dispatcher === undefined ? '' : ` through ${dispatcher}`;
  return `[Data from the application, not from the user: tools that may help here. If they do, call them at once${how}; if not, pass them over. ${JSON.stringify({ schemas: definitions })}]`;
}

function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function textOf(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== 'user' && message?.role !== 'assistant') return '';
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
