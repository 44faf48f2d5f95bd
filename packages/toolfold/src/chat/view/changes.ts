import { isRecord } from '@toolfold/core/internal/tools/values';
import { MOST_SHOWN } from '../../app/changes/index.ts';
import { cleanText } from './clean.ts';

/** Fields that the drawing of a change shows. */
const SHOWN = new Set(['path', 'edits', 'content', 'oldText', 'newText']);

/** Whether a drawing of the change shows all that the arguments hold: no other field and no invisible character. */
export function isShownWhole(given: unknown): boolean {
  if (typeof given === 'string')
    return (
      given.length <= MOST_SHOWN && cleanText(given, MOST_SHOWN) === given.replaceAll('\t', '    ')
    );
  if (Array.isArray(given)) return given.every(isShownWhole);
  if (!isRecord(given)) return false;
  return Object.entries(given).every(([name, value]) => SHOWN.has(name) && isShownWhole(value));
}

/** The arguments that no drawing of the change shows, such as the one that an edit is only tried. */
export function notDrawn(given: unknown): unknown {
  return isRecord(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => !SHOWN.has(name)))
    : given;
}
