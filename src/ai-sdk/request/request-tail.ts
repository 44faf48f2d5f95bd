import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Turn } from '../../tools/calls/index.ts';
import type { TokenCounter, ToolDefinition } from '../../tools/tool/index.ts';
import type { ResponseNote } from '../metadata/index.ts';
import type { ForcedChoice } from './forced-choice.ts';
import { type ChoosePreload, type Notice, preloadFor, preloadText, viewTurn } from './tail.ts';

/** What a request says at its end, beside what it is forced to say. */
export interface Tail {
  readonly texts: readonly string[];
  readonly appended: readonly ToolDefinition[];
  /** Tools handed over, and those of them that a text shows. */
  readonly names: readonly string[];
  readonly shown: readonly string[];
}

interface TailInputs {
  readonly preload: ChoosePreload | undefined;
  readonly notice: Notice | undefined;
  readonly countTokens: TokenCounter;
}

/** `appends`: a tool as it can be appended; undefined where nothing is to be handed over at all. */
export async function tailOf(
  { preload, notice, countTokens }: TailInputs,
  { prompt, abortSignal }: LanguageModelV4CallOptions,
  turn: Turn,
  appends: ((tool: ToolDefinition) => ToolDefinition | undefined) | undefined,
): Promise<Tail> {
  const view = viewTurn(prompt, turn);
  const handed =
    preload && appends ? await preloadFor(preload, view, turn, countTokens, abortSignal) : [];
  const appended = handed.flatMap((tool) => appends?.(tool) ?? []);
  const names = new Set(appended.map(({ name }) => name));
  const told = handed.filter(({ name }) => !names.has(name));
  const said = notice?.(view);
  return {
    texts: [
      ...(told.length > 0 ? [preloadText(told, turn)] : []),
      ...(said === undefined ? [] : [said]),
    ],
    appended,
    names: handed.map(({ name }) => name),
    shown: told.map(({ name }) => name),
  };
}

/** The session's note, and what else of this request must be found again in the messages. */
export function withWords(
  note: ResponseNote | undefined,
  { text, definition, appended }: ForcedChoice,
  tail: Tail,
  { errors, outputs }: Required<Pick<ResponseNote, 'errors' | 'outputs'>>,
): ResponseNote | undefined {
  const texts = text === undefined ? tail.texts : [...tail.texts, text];
  const tools = appended === undefined ? tail.appended : [...tail.appended, appended];
  const all: ResponseNote = {
    ...note,
    ...(texts.length > 0 ? { inserts: [...(note?.inserts ?? []), ...texts] } : {}),
    ...(tail.shown.length > 0 ? { shown: tail.shown } : {}),
    ...(definition === undefined ? {} : { declared: [definition.name] }),
    ...(tools.length > 0 ? { appended: tools } : {}),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}
