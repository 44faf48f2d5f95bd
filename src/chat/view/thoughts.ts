import type { ScreenBlock, ScreenText } from '../../agent/index.ts';

const OPEN = /^\s*<think(?:ing)?>/;
const CLOSE = /<\/think(?:ing)?>\s*/;
/** Some servers leave the first tag out. The second one then stands on a line of its own. */
const LONE_CLOSE = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m;

/**
 * The block, or its reasoning and its text where a model writes its thoughts between tags. The whole text so far
 * is read, so tags may come in pieces.
 */
export function withThoughts(block: ScreenBlock): readonly ScreenBlock[] {
  if (block.kind !== 'text') return [block];
  const { text } = block;
  const open = OPEN.exec(text);
  if (!open && !LONE_CLOSE.test(text)) return isBeginning(text) ? [] : [block];
  const begun = open ? text.slice(open[0].length) : text;
  const close = (open ? CLOSE : LONE_CLOSE).exec(begun);
  const thought = close ? begun.slice(0, close.index) : begun.replace(/<[/a-z]{0,9}$/, '');
  const rest = close ? begun.slice(close.index + close[0].length).trimStart() : '';
  const { step } = block;
  const parts: ScreenText[] = [
    { kind: 'reasoning', step, text: thought },
    { kind: 'text', step, text: rest },
  ];
  return parts.filter((part) => part.text.trim() !== '');
}

/** Whether a tag has begun that is not complete. */
function isBeginning(text: string): boolean {
  const begun = text.trimStart();
  return begun !== '' && begun.length < 10 && '<thinking>'.startsWith(begun);
}
