import type { Phase } from './question.ts';

/** A key as far as questions tell keys apart. `other` are texts, pastes and all other keys. */
export type QuestionKey =
  | 'enter'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'tab'
  | 'shift+tab'
  | 'escape'
  | number
  | 'other';

/**
 * What a key does. `pass`: what it does without a question. `nothing`: it is discarded. `answer`: it gives the
 * marked answer. Others move the mark, to a place that counts from 0 or by one.
 */
export type KeyUse =
  | 'pass'
  | 'nothing'
  | 'answer'
  | 'next'
  | 'previous'
  | { readonly mark: number };

/** What the rules look at. */
export interface KeySituation {
  readonly phase: Phase;
  /** Whether the message box holds no text. */
  readonly isBoxEmpty: boolean;
  /** How many choices the question has. */
  readonly count: number;
}

const MOVES: Readonly<Partial<Record<QuestionKey, KeyUse>>> = {
  ...{ up: 'previous', 'shift+tab': 'previous' },
  ...{ down: 'next', tab: 'next' },
};

/** What a key does while a question with choices is there. No other key and no letter answers. */
export function useOf(key: QuestionKey, { phase, isBoxEmpty, count }: KeySituation): KeyUse {
  if (phase === 'coming' || key === 'other') return 'pass';
  if (typeof key === 'number') {
    const isChoice = key >= 1 && key <= count;
    return phase === 'open' && isBoxEmpty && isChoice ? { mark: key - 1 } : 'pass';
  }
  if (phase === 'inert') return 'nothing';
  if (key === 'enter') return isBoxEmpty ? 'answer' : 'pass';
  // Escape cancels the turn. The other arrows move the cursor in the message.
  return MOVES[key] ?? 'pass';
}
