/** One answer that a question offers. */
export interface Choice {
  readonly id: string;
  /** What a screen shows. */
  readonly label: string;
  /** The letters and the words of the answer on a line. Left out, a line does not offer it. */
  readonly line?: { readonly letters: string; readonly words: string };
}

/** A question with choices, for every surface. */
export interface Question {
  readonly text: string;
  readonly choices: readonly Choice[];
  /** The choice at which the mark begins. Where an answer may do harm, it is a harmless one. */
  readonly marked: string;
}

/**
 * Asks, and resolves with the id of the choice. `undefined` means that no answer can come, now or later. Rejects
 * when the signal aborts.
 */
export type Choose = (question: Question, signal: AbortSignal) => Promise<string | undefined>;

/** Asks for a line of text. Resolves and rejects as `Choose`. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * `coming`: the user still types, so the question is not shown. `inert`: it was shown just now, so keys are not
 * meant for it. `open`: it can be answered.
 */
export type Phase = 'coming' | 'inert' | 'open';
