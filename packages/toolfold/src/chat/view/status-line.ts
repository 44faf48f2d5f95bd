import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import type { Indicator } from '../../app/indicator/index.ts';
import { cleanLine } from './clean.ts';
import type { Theme } from './theme.ts';

/** Most characters of a part, such as the name of a model. */
const MAX_PART = 60;
const BETWEEN = ' │ ';

/** The indicator in one line. Where there is no room for all, it says what matters most. */
export function statusLine({ areToolsOn, parts }: Indicator, theme: Theme, width: number): string {
  let shown = parts.map(({ text, rank }) => ({ text: cleanLine(text, MAX_PART), rank }));
  const line = () => `● ${shown.map(({ text }) => text).join(BETWEEN)}`;
  while (shown.length > 1 && visibleWidth(line()) > width) {
    const least = Math.max(...shown.map(({ rank }) => rank));
    const at = shown.findLastIndex(({ rank }) => rank === least);
    shown = shown.toSpliced(at, 1);
  }
  const [first, ...rest] = shown.map(({ text }) => text);
  const light = areToolsOn ? theme.good(`● ${first}`) : theme.dim(`○ ${first}`);
  const more = rest.map((text) => `${BETWEEN}${text}`).join('');
  return truncateToWidth(`${light}${theme.dim(more)}`, Math.max(1, width), '…');
}
