import type { FormField, FormValue } from '@toolfold/core/internal/tool';
import { formatNumber } from '@toolfold/core/internal/values';
import { oneLine, paddingAsLength, visible } from '../terminal/index.ts';

/** One answer that a question offers. */
export interface AnswerChoice {
  readonly id: string;
  /** What a screen shows. */
  readonly label: string;
  /** The letters and the words of the answer on a line. Left out, a line does not offer it. */
  readonly line?: {
    readonly letters: string;
    readonly words: string;
    /** The words do not say all of it, so `confirm` is asked on a line too. */
    readonly isShort?: true;
  };
  /** Asks for a line that belongs to the answer. It may be empty. */
  readonly asks?: string;
  /** Is asked before the choice counts. Its choice `back` goes back, any other one is the answer. */
  readonly confirm?: QuestionStep;
  /** It is no answer, but shows this text. */
  readonly shows?: string;
}

/** A text with choices: what a surface shows at one time. */
export interface QuestionStep {
  readonly text: string;
  /** Lines above it, in which terminal escapes may be left. */
  readonly details?: readonly string[];
  readonly choices: readonly AnswerChoice[];
  /** The choice at which the mark begins. Where an answer may do harm, it is a harmless one. */
  readonly marked: string;
}

/** The call that a question is about. */
export interface CallAwaitingAnswer {
  readonly id: string;
  readonly name: string;
  readonly arguments?: unknown;
  /** Task id of the subagent whose call it is. */
  readonly subagent?: string | undefined;
}

/**
 * A question to the user. It is data: a surface draws it and returns an answer. `approval`: may this call run?
 * `unknown`: what became of a call whose process ended? `form`, `page`: what a server wants to know, or where it
 * sends the user. `login`: does the user log in to a server now? `continue`: does a turn that stopped in its middle
 * go on?
 */
export interface Question extends QuestionStep {
  readonly kind: 'approval' | 'unknown' | 'form' | 'page' | 'login' | 'continue';
  /** Who or what it is about, in one line. */
  readonly subject: string;
  /** The arguments of the call as one line in which nothing is invisible. */
  readonly shown?: string;
  readonly details: readonly string[];
  readonly call?: CallAwaitingAnswer;
  /** Whether the user's own setting, a hook of the app or a server has asked. */
  readonly askedBy?: 'setting' | 'hook' | 'server';
  /** Whether the call says that it may destroy something, or may have an effect twice. */
  readonly isDangerous?: boolean;
  /** What the answer `yes` to a form consists of. */
  readonly fields?: readonly FormField[];
  /** The page to open. */
  readonly url?: string;
  /** The server's own id of what it asks. */
  readonly elicitationId?: string | undefined;
}

/** The answer to a question. */
export interface Answer {
  /** The id of a choice; one that was not offered counts as none. `unasked`: it cannot be asked, and `text` says why. */
  readonly choice: string;
  /** The line that belongs to it. */
  readonly text?: string;
  /** The values of a form. */
  readonly content?: Readonly<Record<string, FormValue>>;
}

/**
 * Asks the user. `undefined` means that no answer can come. Rejects when the signal aborts, and if the question is
 * closed without an answer.
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer | undefined>;

/** Asks for the id of a choice. Resolves and rejects as `Ask`. */
export type Choose = (step: QuestionStep, signal: AbortSignal) => Promise<string | undefined>;

/** Asks for a line of text. Resolves and rejects as `Ask`. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** What stands above a question: what it is about, and what is to be known of it. */
export function linesAbove({ subject, shown, details }: Question): readonly string[] {
  return [shown === undefined ? subject : `${subject} ${shown}`.trimEnd(), ...details];
}

/** Most characters of the arguments in a question: their beginning and their end. */
export const MAX_ARGUMENTS = 2_000;
/** Most characters of a name and of a subagent's path. */
export const MAX_NAME = 64;

/** A call in a few words: its tool, behind the subagent that calls it. */
export function subjectOf({
  name,
  subagent,
}: {
  readonly name: string;
  readonly subagent?: string | undefined;
}): string {
  return `${askerOf(subagent)}${oneLine(name, MAX_NAME)}`;
}

/** The subagent that asks, in front of what it asks. */
export function askerOf(subagent: string | undefined): string {
  return subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
}

/** The arguments of a call as one line in which nothing is invisible. */
interface VisibleArguments {
  /** All arguments. */
  readonly full: string;
  /** The beginning and the end, within the limit. */
  readonly short: string;
  /** Number of characters of the arguments as they are sent. */
  readonly length: number;
  /** Whether `short` leaves anything out, or padding is replaced by its length. */
  readonly isShortened: boolean;
}

/**
 * JSON with every invisible, control and bidirectional character escaped, and padding replaced by
 * its length. `undefined` if the arguments are nested too deeply for JSON.
 */
export function visibleArguments(
  callArguments: unknown,
  limit: number,
): VisibleArguments | undefined {
  let json: string;
  try {
    json = JSON.stringify(callArguments) ?? '';
  } catch {
    return;
  }
  const escaped = visible(json);
  const full = paddingAsLength(escaped);
  const short = ends(full, limit);
  return { full, short, length: json.length, isShortened: short !== escaped };
}

/** The beginning and the end of a text, and how many characters are left out between them. */
function ends(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 3);
  const head = limit - tail;
  const begin = text.slice(0, head).toWellFormed();
  const end = text.slice(text.length - tail).toWellFormed();
  return `${begin}… (+${formatNumber(text.length - limit)} characters) …${end}`;
}
