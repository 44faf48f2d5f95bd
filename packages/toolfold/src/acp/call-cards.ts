import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk';
import { ownProperty } from '@toolfold/core/internal/values';
import {
  beginning,
  changeOf,
  type FileChange,
  MAX_SHOWN,
  MOST_SHOWN,
  type ShownPart,
  shownParts,
  shownValue,
  textOfParts,
} from '../shown/index.ts';
import { oneLine } from '../terminal/index.ts';

/** Most characters of a tool's name in a title. */
const MAX_TITLE = 120;

/** A call of a tool, as events name it. */
export interface ShownCall {
  /** The ids of the subagents above it, each followed by a slash, and its own id. */
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
  /** The tasks of the subagents above it, each followed by a slash. */
  readonly path?: string;
  /** What it changes in a file, where more is known than its arguments say. */
  readonly change?: FileChange | undefined;
}

interface Card {
  readonly toolCallId: string;
  call: ShownCall;
  isOpen: boolean;
}

/**
 * The ids of the calls of one session. Endpoints may use an id again in each answer, and an editor shows
 * one card for each id. So a call whose id has had an outcome gets another one.
 */
export class CallCards {
  readonly #cards = new Map<string, Card>();
  readonly #counts = new Map<string, number>();

  /** The card of a new call. `isNew`: whether the editor does not know its id yet. */
  open(call: ShownCall): { readonly toolCallId: string; readonly isNew: boolean } {
    const { id } = call;
    const known = this.#cards.get(id);
    if (known?.isOpen) return { toolCallId: known.toolCallId, isNew: false };
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    const toolCallId = count === 1 ? id : `${id}~${count}`;
    this.#cards.set(id, { toolCallId, call, isOpen: true });
    return { toolCallId, isNew: true };
  }

  /** The id of the latest call with this id. Undefined if there was none. */
  idOf(id: string): string | undefined {
    return this.#cards.get(id)?.toolCallId;
  }

  /** More is known of what the latest call with this id changes. */
  learn(id: string, change: FileChange | undefined): void {
    const card = this.#cards.get(id);
    if (card && change) card.call = { ...card.call, change };
  }

  /** What the latest call with this id changes in a file. */
  diffOf(id: string): ToolCallContent[] {
    const call = this.callOf(id);
    return call ? diffOfCall(call) : [];
  }

  /** The call as it was shown, by its id. */
  callOf(id: string): ShownCall | undefined {
    return this.#cards.get(id)?.call;
  }

  /**
   * The id of the first open call of the same subagent with this name and these arguments. Questions of
   * subagents do not name their call.
   */
  idLike({ name, arguments: given, path }: ShownCall): string | undefined {
    const isLike = ({ call, isOpen }: Card) =>
      isOpen &&
      call.path === path &&
      call.name === name &&
      isDeepStrictEqual(call.arguments, given);
    return [...this.#cards.values()].find(isLike)?.toolCallId;
  }

  /** The call has an outcome. Returns its id; undefined if it is not known or has had one. */
  close(id: string): string | undefined {
    const card = this.#cards.get(id);
    if (!card?.isOpen) return;
    card.isOpen = false;
    return card.toolCallId;
  }
}

/** A call that has not run, as an editor shows it. `text`: what a permission request says about it. */
export function toolCallOf(toolCallId: string, call: ShownCall, text?: string): ToolCall {
  const { name, arguments: given, path = '' } = call;
  const locations = locationsOf(given);
  const content = [...(text === undefined ? [] : textContent(text)), ...diffOfCall(call)];
  return {
    ...{ toolCallId, name, kind: kindOf(name), rawInput: shownValue(given ?? {}) },
    title: `${path === '' ? '' : `[${path.slice(0, -1)}] `}${oneLine(name, MAX_TITLE)}`,
    ...(locations.length > 0 ? { locations } : {}),
    ...{ status: 'pending', ...(content.length === 0 ? {} : { content }) },
  };
}

function diffOfCall({ name, arguments: given, change }: ShownCall): ToolCallContent[] {
  return diffContent(change ?? changeOf(name, given));
}

/** The kinds by the words of a tool's name. The first word that is known decides. */
const WORDS: Readonly<Record<Exclude<ToolKind, 'other' | 'switch_mode'>, readonly string[]>> = {
  read: ['read', 'get', 'list', 'show', 'view', 'describe', 'cat', 'head', 'tail', 'recall'],
  search: ['search', 'find', 'grep', 'glob', 'query', 'lookup'],
  edit: ['write', 'edit', 'create', 'update', 'add', 'set', 'append', 'insert', 'replace', 'patch'],
  delete: ['delete', 'remove', 'rm', 'drop', 'clear'],
  move: ['move', 'rename', 'mv'],
  execute: ['run', 'exec', 'execute', 'shell', 'bash', 'command', 'start', 'invoke', 'eval'],
  fetch: ['fetch', 'download', 'http', 'curl', 'browse', 'navigate'],
  think: ['think', 'sequentialthinking', 'plan'],
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.map((word) => [word, kind as ToolKind] as const),
  ),
);

/**
 * The kind of a tool for the icon of its call, guessed from its name, such as `read` for `files__read_file`.
 * `other` if no word is known. It decides nothing else.
 */
export function kindOf(name: string): ToolKind {
  const bare = name.slice(name.lastIndexOf('__') + 1);
  const words = bare
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const word of words) {
    const kind = KINDS.get(word);
    if (kind !== undefined) return kind;
  }
  return 'other';
}

/** Most characters of an image in base64. Larger images are named and not sent. */
export const MAX_IMAGE = 1_000_000;
/** Most images of one result. */
const MAX_IMAGES = 8;

/** A text as the content of a tool call. Empty for an empty text. */
export function textContent(text: string): ToolCallContent[] {
  return contentOf(beginning(text, MAX_SHOWN));
}

/** The result of a tool for people: its texts, and its images as far as they are not too large. */
export function outputContent(output: unknown): ToolCallContent[] {
  const images: ToolCallContent[] = [];
  const others: ShownPart[] = [];
  for (const part of shownParts(output)) {
    const isSent =
      part.type === 'image' && part.data.length <= MAX_IMAGE && images.length < MAX_IMAGES;
    if (isSent) images.push({ type: 'content', content: part });
    else others.push(part);
  }
  return [...contentOf(textOfParts(others)), ...images];
}

/** The file that a call is about, where an argument has its absolute path. */
function locationsOf(given: unknown): ToolCallLocation[] {
  for (const key of ['path', 'file_path', 'filePath', 'file']) {
    const path = ownProperty(given, key);
    if (typeof path === 'string' && path.length < MAX_SHOWN && isAbsolute(path)) return [{ path }];
  }
  return [];
}

function contentOf(text: string): ToolCallContent[] {
  return text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

/** Most parts of a change that are shown. */
const MAX_PARTS = 50;

/** What a call changes in a file, where the protocol can show it: its absolute path, and the texts before. */
function diffContent(change: FileChange | undefined): ToolCallContent[] {
  if (!change || !isAbsolute(change.path) || change.parts.length > MAX_PARTS) return [];
  const { path, parts } = change;
  const size = parts.reduce((sum, { before = '', after }) => sum + before.length + after.length, 0);
  if (size > MOST_SHOWN) return [];
  return parts.flatMap(({ before, after }): ToolCallContent[] =>
    before === undefined ? [] : [{ type: 'diff', path, oldText: before, newText: after }],
  );
}
