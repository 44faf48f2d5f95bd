import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { ScreenView } from '@toolfold/agent/internal/events/screen-view.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

const TOKENS = {
  inline: 1,
  bridges: 2,
  loaded: 3,
  system: 40,
  catalog: 10,
  messages: 50,
  total: 96,
};
const about = (id: string) => ({ id, name: 'files__read' });
const LONG = 'A long text 日本語 😀 with words, '.repeat(3);

export const usage: Of<'usage'> = {
  type: 'usage',
  ...{ input: 1000, cacheRead: 900, cacheWrite: 50, output: 20, cost: 0.25 },
};

export const user = (text: string): AgentEvent => ({ type: 'user', text });
export const said = (text: string): AgentEvent => ({ type: 'text', text });
export const end = (more: Partial<Of<'end'>> = {}): AgentEvent => ({
  type: 'end',
  ...{ reason: 'done', text: '' },
  ...more,
});
export const call = (id: string, more: Partial<Of<'call'>> = {}): AgentEvent => ({
  type: 'call',
  ...about(id),
  arguments: { path: '/a b', lines: [1, 2] },
  ...more,
});
export const result = (id: string, output: unknown): AgentEvent => ({
  type: 'result',
  ...about(id),
  output,
  duration: 1234,
});
const failure = (id: string, more: Partial<Of<'failure'>> = {}): AgentEvent => ({
  type: 'failure',
  ...about(id),
  error: LONG,
  ...more,
});
export const request: AgentEvent = {
  type: 'request',
  ...{ request: 1, strategy: 'dispatch', form: 'messages', tokens: TOKENS, segments: [] },
} as unknown as AgentEvent;
const ofChild = (event: AgentEvent): AgentEvent => ({
  type: 'subagent',
  ...{ call: 'c', child: 'one', task: 'one', event },
});

/** Events of each type. A type that is missing here is an error of types. */
const ALL: { readonly [TYPE in AgentEvent['type']]: readonly AgentEvent[] } = {
  start: [{ type: 'start', model: 'a/b', role: 'all', strategy: 'dispatch', reason: LONG }],
  user: [user(`${LONG}\n`.repeat(9))],
  text: [said(`# Text\n\n| a | 値 |\n|--|--|\n| ${LONG} | 1 |\n\n- item\n\n${LONG}`)],
  reasoning: [{ type: 'reasoning', text: `${LONG}\n${LONG}` }],
  request: [request],
  epoch: [{ type: 'epoch', strategy: 'dispatch', reason: LONG }],
  'tools-changed': [{ type: 'tools-changed', added: ['a'], removed: ['b', 'c'] }],
  'prefix-broken': [
    { type: 'prefix-broken', request: 2, segment: { index: 1, kind: 'tools' }, cause: LONG },
  ],
  fallback: [{ type: 'fallback', from: 'native', to: 'dispatch', reason: LONG }],
  retry: [{ type: 'retry', attempt: 2, status: 529, wait: 100 }],
  preload: [{ type: 'preload', tools: ['files__read'] }],
  load: [{ type: 'load', group: 'files', tools: ['files__read', 'files__write'] }],
  'call-delta': [{ type: 'call-delta', id: 'd', name: 'files__read', text: LONG }],
  call: [
    ...[call('c'), call('c2', { schema: 'loaded' }), call('c3', { raw: LONG })],
    ...[call('c4'), call('c5'), call('c6', { arguments: null })],
  ],
  approval: [
    {
      type: 'approval',
      approvalId: 'a',
      ...about('c2'),
      arguments: {},
      reason: LONG,
      askedBy: 'setting',
    },
  ],
  decision: [
    { type: 'decision', ...about('c2'), approved: false, reason: LONG, source: 'user' },
    { type: 'decision', ...about('c4'), approved: true, source: 'user' },
  ],
  'tool-start': [{ type: 'tool-start', ...about('c') }],
  elicitation: [
    {
      ...{ type: 'elicitation', elicitationId: 'e', ...about('c') },
      ...{ server: LONG, message: LONG, fields: [] },
    },
  ],
  'elicitation-answered': [
    { type: 'elicitation-answered', elicitationId: 'e', ...about('c'), action: 'accept' },
  ],
  'tool-progress': [{ type: 'tool-progress', ...about('c'), progress: 1, total: 3, message: LONG }],
  'tool-log': [{ type: 'tool-log', ...about('c'), server: 's', level: 'info', text: LONG }],
  subagent: [
    ...[user(LONG), said(LONG), usage, call('c'), result('c', LONG)].map(ofChild),
    ofChild(ofChild(said(LONG))),
  ],
  'subagent-end': [
    {
      ...{ type: 'subagent-end', call: 'c', child: 'two', task: LONG, status: 'timed_out' },
      ...{ error: LONG },
      spent: { ...usage, requests: 3, unpriced: 0, estimated: 0, cost: 0.5 },
    },
  ],
  result: [
    result('c', { content: [{ type: 'text', text: LONG }, { type: 'image' }] }),
    result('c4', { [LONG]: [1, LONG] }),
  ],
  failure: [failure('c3'), failure('c5', { isUnknown: true })],
  discarded: [{ type: 'discarded', text: LONG, calls: [about('c6')] }],
  usage: [usage, { ...usage, isEstimate: true, kind: 'sampling' }],
  compaction: [{ type: 'compaction', cause: 'user', summary: LONG, before: 9000, after: 100 }],
  warning: [{ type: 'warning', text: LONG }],
  rounds: [{ type: 'rounds', limit: 0, roundsLeft: 2 }],
  end: [end()],
};

const KINDS = Object.keys(ALL) as readonly AgentEvent['type'][];

/** Views of a turn with all kinds of events, of turns with one kind, and of turns that end in other ways. */
export const VIEWS: Readonly<Record<string, ScreenView>> & { readonly all: ScreenView } = {
  all: screenOf(KINDS.flatMap((kind) => [...ALL[kind]])),
  nothing: { turns: [] },
  ...Object.fromEntries(
    KINDS.map((kind) => [kind, screenOf([user('Go.'), call('c'), call('c2'), ...ALL[kind]])]),
  ),
  ...Object.fromEntries(
    (
      ['approval', 'rounds', 'length', 'content-filter', 'other', 'cancelled', 'error'] as const
    ).map((reason) => [
      `an end with ${reason}`,
      screenOf([
        ...[user('Go.'), said(LONG), usage],
        end({ reason, ...(reason === 'error' ? { error: new Error(LONG) } : {}) }),
      ]),
    ]),
  ),
};

/** A view of so many turns, each with an answer and a call. */
export function turnsOf(count: number): ScreenView {
  const events: AgentEvent[] = [];
  for (let at = 0; at < count; at += 1)
    events.push(
      user(`Question ${at}`),
      call(`c${at}`),
      result(`c${at}`, 'Found.'),
      said(`Answer ${at}`),
      usage,
      end(),
    );
  return screenOf(events);
}
