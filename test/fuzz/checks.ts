import { errorMessage } from '../../src/errors.ts';
import { keptIn, lacking } from './kept.ts';
import { prefixBreak } from './prefix.ts';
import { changedCalls } from './sent-calls.ts';
import { toldIn } from './told.ts';
import { short } from './trace.ts';
import type { TurnRecord } from './turn-record.ts';
import { brokenRules } from './wire-rules.ts';

/** Something that holds after every turn. To add one, add a row. */
export interface Check {
  readonly name: string;
  /** What is wrong; nothing where it holds. */
  readonly broken: (turn: TurnRecord) => string | undefined;
}

const SDK_WORDS = /AI_\w+Error|unavailable tool|Available tools/;

/** What the agent itself puts where an answer broke off. */
const REMARK = '[This answer was interrupted.]';

const list = (what: string, items: readonly unknown[]): string | undefined =>
  items.length > 0 ? `${what}: ${items.map((item) => short(item)).join('; ')}` : undefined;

export const CHECKS: readonly Check[] = [
  {
    name: 'the server takes every request',
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
    name: 'no words of the SDK reach the model',
    broken: ({ sent, isNew }) =>
      list(
        'sent',
        sent.filter(isNew).flatMap(({ request }) => SDK_WORDS.exec(request.raw) ?? []),
      ),
  },
  {
    name: 'no tool runs against policy',
    broken: ({ offences }) => list('ran', offences),
  },
  {
    name: 'requests extend each other',
    broken: ({ keepsPrefix, sent, said }) => {
      if (!keepsPrefix) return undefined;
      const breaks = sent.flatMap((one, index) => {
        const next = sent[index + 1];
        return (next && prefixBreak(one, next.request, said)) ?? [];
      });
      return breaks[0];
    },
  },
  {
    name: 'what ran is in the messages, with its result',
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
    name: 'each call in the messages has one result, each result a call',
    broken: ({ end, isDisturbed, after, waiting }) => {
      if (!end.isWhole) return undefined;
      const { calls, results } = keptIn(after);
      // Calls of a turn that broke off are closed with what the user says next. One that is approved
      // waits for the answers to the others.
      const mayBeOpen = isDisturbed || waiting.size > 0;
      const open = mayBeOpen ? [] : lacking(calls, results);
      return (
        list('calls without a result', open) ??
        list('results without a call', lacking(results, calls))
      );
    },
  },
  {
    name: 'what the agent told is kept',
    broken: ({ end, before, after }) => {
      if (!end.events) return undefined;
      const told = toldIn(end.events);
      const kept = keptIn(after);
      const text = kept.text.slice(keptIn(before).text.length).replaceAll(REMARK, '');
      const lost = list('a result was told and is not kept', lacking(told.results, kept.results));
      if (lost || end.hasLeft) return lost;
      return (
        list('a call was told and is not kept', lacking(told.calls, kept.calls)) ??
        (told.text === text
          ? undefined
          : `text was told: ${short(told.text)}, and is kept: ${short(text)}`)
      );
    },
  },
  {
    name: 'no turn fails by itself',
    broken: ({ end, isDisturbed }) =>
      end.error === undefined || isDisturbed ? undefined : describe(end.error),
  },
  {
    name: 'nothing runs on',
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
