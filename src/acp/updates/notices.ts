import type { Notice } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../../agent/index.ts';
import { formatCount, formatNumber, oneLine } from '../../app/terminal/index.ts';

/** Most characters of a notice. */
const MAX_NOTICE = 300;

/** A notice for the user about an event. `isMain`: it is not of a subagent. Undefined for most events. */
export function noticeOf(event: AgentEvent, isMain: boolean): Notice | undefined {
  const notice = textOf(event, isMain);
  return notice && { ...notice, title: oneLine(notice.title, MAX_NOTICE) };
}

function textOf(event: AgentEvent, isMain: boolean): Notice | undefined {
  switch (event.type) {
    case 'warning':
      return { severity: 'warning', title: event.text };
    case 'retry':
      return { severity: 'info', title: `The request is sent again (attempt ${event.attempt}).` };
    case 'fallback':
      return {
        severity: 'info',
        title: `The endpoint refused the strategy ${event.from}. Now ${event.to} is used.`,
      };
    case 'rounds':
      return {
        severity: 'warning',
        title: `No rounds of tools are left: the limit is ${formatNumber(event.limit)}. Your next message begins a new count.`,
      };
    case 'discarded':
      return event.text === undefined
        ? undefined
        : {
            severity: 'warning',
            title: `The answer broke off. ${formatCount(event.text.length, 'character')} of it are not part of the conversation.`,
          };
    case 'subagent-end':
      return event.status === 'done'
        ? undefined
        : {
            severity: 'warning',
            title: `[${event.task}] ${event.status.replaceAll('_', ' ')}${event.error === undefined ? '' : `: ${event.error}`}`,
          };
    case 'end':
      return isMain ? endNotice(event.reason) : undefined;
    default:
      return;
  }
}

function endNotice(reason: string): Notice | undefined {
  if (reason === 'content-filter')
    return { severity: 'warning', title: "The provider's filter stopped the answer." };
  return reason === 'other'
    ? {
        severity: 'warning',
        title: 'The provider ended the answer for an unusual reason. It may be incomplete.',
      }
    : undefined;
}
