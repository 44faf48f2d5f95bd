import { thoughtsIn } from '../../agent/entries/index.ts';
import type { ScreenBlock, ScreenText } from '../../agent/index.ts';

/** The block of a screen, or its thoughts and its answer. */
export function withThoughts(block: ScreenBlock): readonly ScreenBlock[] {
  if (block.kind !== 'text') return [block];
  const { step } = block;
  const { reasoning, text } = thoughtsIn(block.text, true);
  const parts: ScreenText[] = [
    { kind: 'reasoning', step, text: reasoning },
    { kind: 'text', step, text },
  ];
  return parts.filter((part) => part.text.trim() !== '');
}
