import type { Notice } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../../agent/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import { END_WORDS, wordsOf } from '../../app/words/index.ts';

/** Most characters of a notice. */
const MAX_NOTICE = 300;

const SEVERITY: Readonly<Partial<Record<AgentEvent['type'], Notice['severity']>>> = {
  ...{ retry: 'info', fallback: 'info' },
  ...{ warning: 'warning', rounds: 'warning', discarded: 'warning', 'subagent-end': 'warning' },
};

/** A notice for the user about an event. `isMain`: it is not of a subagent. Undefined for most events. */
export function noticeOf(event: AgentEvent, isMain: boolean): Notice | undefined {
  const severity = event.type === 'end' ? 'warning' : SEVERITY[event.type];
  const title = event.type === 'end' ? endWords(event.reason, isMain) : workWords(event);
  return severity && title !== undefined
    ? { severity, title: oneLine(title, MAX_NOTICE) }
    : undefined;
}

function workWords(event: AgentEvent): string | undefined {
  if (event.type === 'discarded' && event.text === undefined) return;
  if (event.type !== 'subagent-end') return wordsOf(event);
  return event.status === 'done' ? undefined : `[${event.task}] ${wordsOf(event)}`;
}

/** The reasons for which the protocol has no word. */
function endWords(reason: string, isMain: boolean): string | undefined {
  const isUnknown = reason === 'content-filter' || reason === 'other';
  return isMain && isUnknown ? END_WORDS[reason] : undefined;
}
