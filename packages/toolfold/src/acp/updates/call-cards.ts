import { isDeepStrictEqual } from 'node:util';
import type { ToolCall, ToolCallContent } from '@agentclientprotocol/sdk';
import { changeOf, type FileChange } from '../../app/changes/index.ts';
import { shownValue } from '../../app/shown/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import { diffContent, locationsOf, textContent } from './tool-content.ts';
import { kindOf } from './tool-kind.ts';

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
