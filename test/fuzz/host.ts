import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelMessage, ToolSet } from 'ai';
import type { AgentEvent } from '../../src/agent/index.ts';
import type { Fold } from '../../src/ai-sdk/index.ts';
import { ticks } from './event-loop.ts';
import type { World } from './world.ts';

/** What a host works with until something of it changes. */
export interface View {
  readonly world: World;
  readonly fold: Fold<ToolSet>;
  readonly model: LanguageModelV4;
  readonly role: string | undefined;
  /** Settings of each call of the SDK's. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What waits for the user's word. */
export interface Question {
  readonly approvalId: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** How the answer is read. */
export interface Reader {
  /** Turns of the event loop that pass before the next part is read. */
  readonly ticks: number;
  /** Parts after which the reader leaves. */
  readonly leavesAfter: number | undefined;
  /** Called at each part. */
  readonly onPart: () => void;
}

/** What the user does in a turn. */
export type Words =
  | { readonly text: string }
  | { readonly answers: Readonly<Record<string, boolean>> };

export interface TurnInput {
  readonly words: Words;
  /** To be fired by whoever leaves, too. */
  readonly controller: AbortController;
  readonly reader: Reader;
  /** Names the app offers; all where undefined. */
  readonly active: readonly string[] | undefined;
}

/** What a turn has come to, as its host tells it. */
export interface TurnEnd {
  /** What it failed with, where it failed. */
  readonly error?: unknown;
  /** Events of the agent's. */
  readonly events?: readonly AgentEvent[];
  /** The reader left before the end: what is taken back later is not told. */
  readonly hasLeft?: boolean;
  /** Whether the messages must hold all that has happened. */
  readonly isWhole: boolean;
}

/** One conversation in one of the ways in which an app holds it. */
export interface Host {
  readonly questions: readonly Question[];
  /** What is kept of the conversation. */
  messages(): Promise<readonly ModelMessage[]>;
  turn(input: TurnInput): Promise<TurnEnd>;
  /** The same conversation in another view; `isNewProcess`: what is kept goes through JSON. */
  moved(view: View, isNewProcess: boolean): Host;
  /** Has the agent's tools switched; nothing elsewhere. */
  setTools?(on: boolean): void;
}

/** Reads parts as the reader does; tells each, and whether the reader left. */
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

/** As another process gets it. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
