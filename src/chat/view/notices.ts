import type { ScreenNotice } from '../../agent/index.ts';
import { formatCount } from '../../app/terminal/index.ts';
import { wordsOf } from '../../app/words/index.ts';
import { type Drawing, type Lines, oneLine, safeLine } from './drawing.ts';

/** Most characters of a notice. */
const MAX_NOTICE = 500;

/** The line of a notice, where it happened. Nothing if there is nothing to say. */
export function noticeLines(notice: ScreenNotice, drawing: Drawing): Lines {
  const { theme, tokensOf } = drawing;
  const words = wordsOf(notice);
  if (words === undefined) return { text: [] };
  const isLoad = notice.type === 'load' || notice.type === 'preload';
  const tokens = isLoad ? tokensOf?.(notice.tools) : undefined;
  const size = tokens === undefined ? '' : ` (${formatCount(tokens, 'token')})`;
  const text = `${notice.type === 'warning' ? 'Warning: ' : ''}${words}${size}`;
  const line = theme.dim(safeLine(text, MAX_NOTICE, drawing));
  return { text: [oneLine(`${isLoad ? theme.good('●') : theme.dim('·')} ${line}`, drawing)] };
}
