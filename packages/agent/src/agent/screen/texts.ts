import type { ScreenBlock, ScreenText, ScreenTurn } from './view.ts';

/** Adds text to the last block if it is of the same kind and request, else as a new block. */
export function withText(turn: ScreenTurn, kind: ScreenText['kind'], text: string): ScreenTurn {
  const { step, blocks } = turn;
  const end = joined([...blocks.slice(-1), { kind, step, text }]);
  return { ...turn, blocks: [...blocks.slice(0, -1), ...end] };
}

/**
 * Removes a withdrawn text: from the end of the texts of its kind, else the latest request whose whole text it is,
 * else the last place where it stands. Does nothing if it is not there.
 */
export function withoutText(
  turn: ScreenTurn,
  kind: ScreenText['kind'],
  withdrawn: string,
): ScreenTurn {
  const texts = turn.blocks.filter((block): block is ScreenText => block.kind === kind);
  const at = placeOf(texts, withdrawn);
  if (withdrawn === '' || at === undefined) return turn;
  let position = 0;
  const blocks = turn.blocks.flatMap((block): ScreenBlock[] => {
    if (block.kind !== kind) return [block];
    const { text } = block;
    const from = Math.max(0, at - position);
    const to = Math.max(0, at + withdrawn.length - position);
    position += text.length;
    const rest = text.slice(0, from) + text.slice(to);
    return rest === text ? [block] : rest === '' ? [] : [{ ...block, text: rest }];
  });
  return { ...turn, blocks: joined(blocks) };
}

/** Where the text begins in all text of its kind; undefined if it is not there. */
function placeOf(texts: readonly ScreenText[], withdrawn: string): number | undefined {
  const steps = [...new Set(texts.map(({ step }) => step))];
  const textOf = (isMeant: (step: number) => boolean) =>
    texts.flatMap(({ step, text }) => (isMeant(step) ? text : [])).join('');
  const all = textOf(() => true);
  if (all.endsWith(withdrawn)) return all.length - withdrawn.length;
  const whole = steps.findLast((step) => textOf((one) => one === step) === withdrawn);
  if (whole !== undefined) return textOf((step) => step < whole).length;
  const at = all.lastIndexOf(withdrawn);
  return at < 0 ? undefined : at;
}

/** Joins texts between which a block is gone. */
export function joined(blocks: readonly ScreenBlock[]): ScreenBlock[] {
  const all: ScreenBlock[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    const isSame = last && last.kind === block.kind && last.step === block.step;
    if (isSame && last.kind !== 'call' && block.kind !== 'call')
      all[all.length - 1] = { ...last, text: last.text + block.text };
    else all.push(block);
  }
  return all;
}
