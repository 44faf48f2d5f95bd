import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import type { TokenCounter, ToolDefinition } from '@toolfold/core/internal/tools/tool';
import { asSentence } from '@toolfold/core/internal/tools/values';
import type { ResponseNote } from '../metadata/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';
import type { ForcedChoice } from './forced-choice.ts';
import { type ChoosePreload, type Notice, preloadFor, preloadText, viewTurn } from './tail.ts';

/** The texts and tools at the tail of a request. */
export interface Tail {
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
): Promise<Tail> {
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
  { texts, appended, shown }: Tail,
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
