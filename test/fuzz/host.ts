import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelMessage, ToolSet } from 'ai';
import type { AgentEvent } from '../../packages/agent/src/index.ts';
import type { Fold } from '../../packages/ai-sdk/src/index.ts';
import { ticks } from './event-loop.ts';
import type { World } from './world.ts';

/** What a host works with until one of its parts changes. */
export interface View {
  readonly world: World;
  readonly fold: Fold<ToolSet>;
  readonly model: LanguageModelV4;
  readonly role: string | undefined;
  /** Settings of each call of the SDK. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A call that waits for the user's approval. */
export interface Question {
  readonly approvalId: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** How the answer is read. */
export interface Reader {
  /** Turns of the event loop before the next part is read. */
  readonly ticks: number;
  /** The number of parts after which the reader stops reading. */
  readonly leavesAfter: number | undefined;
  /** Called at each part. */
  readonly onPart: () => void;
}

/** What the user does in a turn. */
export type UserAction =
  | { readonly text: string }
  | { readonly answers: Readonly<Record<string, boolean>> };

export interface TurnInput {
  readonly action: UserAction;
  /** A reader that stops early aborts it too. */
  readonly controller: AbortController;
  readonly reader: Reader;
  /** Names of the tools that the app offers; all if undefined. */
  readonly active: readonly string[] | undefined;
}

/** How a turn ended, as its host reports it. */
export interface TurnEnd {
  /** The error, if the turn failed. */
  readonly error?: unknown;
  /** Events of the agent. */
  readonly events?: readonly AgentEvent[];
  /** The reader left before the end, so later `discarded` events are missing. */
  readonly hasLeft?: boolean;
  /** Whether the messages must hold everything that happened. */
  readonly isWhole: boolean;
}

/** One conversation, in one of the ways in which an app holds it. */
export interface Host {
  readonly questions: readonly Question[];
  /** The kept messages. */
  messages(): Promise<readonly ModelMessage[]>;
  turn(input: TurnInput): Promise<TurnEnd>;
  /** The same conversation in another view. `isNewProcess`: the messages go through JSON. */
  moved(view: View, isNewProcess: boolean): Host;
  /** Switches the agent's tools; other hosts do not have it. */
  setTools?(on: boolean): void;
}

/** Reads parts as the reader does, passes each to `take`, and reports whether the reader left. */
export async function readParts<T>(
  parts: AsyncIterable<T>,
  { reader, controller }: TurnInput,
  take: (part: T) => void,
): Promise<{ left: boolean }> {
  let read = 0;
  for await (const part of parts) {
    take(part);
    read++;
    reader.onPart();
    await ticks(reader.ticks);
    if (read === reader.leavesAfter) {
      controller.abort(new Error('the reader has left'));
      return { left: true };
    }
  }
  return { left: false };
}

/** The value as another process receives it. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
