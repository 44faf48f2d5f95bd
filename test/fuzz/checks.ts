import { errorMessage } from '../../packages/core/src/errors.ts';
import { emittedIn } from './emitted.ts';
import { keptIn, lacking } from './kept.ts';
import { prefixBreak } from './prefix.ts';
import { changedCalls } from './sent-calls.ts';
import { short } from './trace.ts';
import type { TurnRecord } from './turn-record.ts';
import { brokenRules } from './wire-rules.ts';

/** A condition that must hold after every turn. To add one, add a row. */
export interface Check {
  readonly name: string;
  /** Describes the violation; undefined if the condition holds. */
  readonly broken: (turn: TurnRecord) => string | undefined;
}

const SDK_ERRORS = /AI_\w+Error|unavailable tool|Available tools/;

/** The text that the agent puts in the place of an interrupted answer. */
const REMARK = '[This answer was interrupted.]';

const list = (what: string, items: readonly unknown[]): string | undefined =>
  items.length > 0 ? `${what}: ${items.map((item) => short(item)).join('; ')}` : undefined;

export const CHECKS: readonly Check[] = [
  {
    name: 'the server accepts every request',
    broken: ({ refusals }) =>
      list(
        'refused',
        refusals.map(({ status, body }) => `${status} ${body}`),
      ),
  },
  {
    name: 'no request breaks a rule of its provider',
    broken: ({ sent, isNew }) =>
      list(
        'broken',
        sent.filter(isNew).flatMap(({ request }) => brokenRules(request)),
      ),
  },
  {
    name: 'calls are sent as the model wrote them',
    broken: ({ sent, isNew }) => {
      const own = sent.filter(isNew);
      const changed = own.flatMap((one, index) => changedCalls(one, own[index + 1]) ?? []);
      return list('changed', changed);
    },
  },
  {
    name: 'no error text of the SDK reaches the model',
    broken: ({ sent, isNew }) =>
      list(
        'sent',
        sent.filter(isNew).flatMap(({ request }) => SDK_ERRORS.exec(request.raw) ?? []),
      ),
  },
  {
    name: 'no tool runs against policy',
    broken: ({ offences }) => list('ran', offences),
  },
  {
    name: 'requests extend each other',
    broken: ({ keepsPrefix, sent, userTexts }) => {
      if (!keepsPrefix) return undefined;
      const breaks = sent.flatMap((one, index) => {
        const next = sent[index + 1];
        return (next && prefixBreak(one, next.request, userTexts)) ?? [];
      });
      return breaks[0];
    },
  },
  {
    name: 'every tool that ran is in the messages, with its result',
    broken: ({ end, runs, after, waiting }) => {
      if (!end.isWhole) return undefined;
      const { calls, results } = keptIn(after);
      const ids = runs.map(({ id }) => id);
      return (
        list('no call', lacking(ids, calls)) ??
        list('no result', lacking(ids, [...results, ...waiting]))
      );
    },
  },
  {
    name: 'each call in the messages has one result, and each result has a call',
    broken: ({ end, isDisturbed, after, waiting }) => {
      if (!end.isWhole) return undefined;
      const { calls, results } = keptIn(after);
      // Calls of an interrupted turn are closed at the next user message. An approved call waits
      // until the other questions are answered.
      const mayBeOpen = isDisturbed || waiting.size > 0;
      const open = mayBeOpen ? [] : lacking(calls, results);
      return (
        list('calls without a result', open) ??
        list('results without a call', lacking(results, calls))
      );
    },
  },
  {
    name: 'everything the agent emitted is kept',
    broken: ({ end, before, after }) => {
      if (!end.events) return undefined;
      const emitted = emittedIn(end.events);
      const kept = keptIn(after);
      const text = kept.text.slice(keptIn(before).text.length).replaceAll(REMARK, '');
      const lost = list(
        'a result was emitted and is not kept',
        lacking(emitted.results, kept.results),
      );
      if (lost || end.hasLeft) return lost;
      return (
        list('a call was emitted and is not kept', lacking(emitted.calls, kept.calls)) ??
        (emitted.text === text
          ? undefined
          : `emitted text: ${short(emitted.text)}, kept text: ${short(text)}`)
      );
    },
  },
  {
    name: 'no turn fails without a planned cause',
    broken: ({ end, isDisturbed }) =>
      end.error === undefined || isDisturbed ? undefined : describe(end.error),
  },
  {
    name: 'no tool is still running',
    broken: ({ running }) =>
      list(
        'still running',
        running.map(({ tool }) => tool),
      ),
  },
  {
    name: 'no rejection is left unhandled',
    broken: ({ rejections }) => list('rejected', rejections.map(describe)),
  },
];

function describe(error: unknown): string {
  const where = error instanceof Error ? error.stack?.split('\n').slice(1, 3).join(' ') : '';
  return `${errorMessage(error)} ${where}`;
}
