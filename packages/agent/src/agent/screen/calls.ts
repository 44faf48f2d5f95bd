import { pick } from '@toolfold/core/internal/tools/values';
import { type AgentEvent, readAskedBy } from '../events/index.ts';
import type { CallLive, EventOf, ScreenBlock, ScreenCall, ScreenTurn } from './view.ts';

/** Adds a call. A call that an attempt before has written is replaced. */
export function withCall(turn: ScreenTurn, event: EventOf<'call'>): ScreenTurn {
  const { step, blocks } = turn;
  const card: ScreenCall = {
    ...{ kind: 'call', step, status: 'waiting', children: [] },
    ...pick(event, 'id', 'name', 'arguments', 'schema', 'wireName', 'raw', 'repairs'),
  };
  const isSame = (block: ScreenBlock) =>
    block.kind === 'call' && block.id === event.id && block.status === 'waiting';
  const others = blocks.filter((block) => !isSame(block));
  return { ...withoutDrafts(turn, event.id), blocks: [...others, card] };
}

/** Shows the arguments of a call while the model writes them. */
export function withDelta(turn: ScreenTurn, event: EventOf<'call-delta'>): ScreenTurn {
  const { writing = [] } = turn;
  const known = writing.find(({ id }) => id === event.id);
  const draft = { ...pick(event, 'id', 'name'), text: (known?.text ?? '') + event.text };
  return { ...turn, writing: [...writing.filter((one) => one !== known), draft] };
}

/** Removes what was written of one call, or of all. */
export function withoutDrafts(turn: ScreenTurn, id?: string): ScreenTurn {
  const { writing, ...rest } = turn;
  if (!writing) return turn;
  const others = id === undefined ? [] : writing.filter((draft) => draft.id !== id);
  return others.length > 0 ? { ...rest, writing: others } : rest;
}

/** An event about a call that was written before. */
type CallEvent = Exclude<
  Extract<AgentEvent, { readonly id: string }>,
  EventOf<'call' | 'call-delta'>
>;

/** The call after each event that is about it. */
const CHANGES: {
  readonly [TYPE in CallEvent['type']]: (call: ScreenCall, event: EventOf<TYPE>) => ScreenCall;
} = {
  approval: (call, event) => {
    const approval = { ...pick(event, 'approvalId', 'reason'), ...readAskedBy(event) };
    return { ...call, status: 'asked', approval };
  },
  decision: (call, event) => {
    const decision = pick(event, 'approved', 'reason', 'scope', 'source');
    const approval = { ...pick(event, 'approvalId'), ...call.approval, decision };
    return { ...call, status: event.approved ? 'waiting' : 'denied', approval };
  },
  'tool-start': (call, event) =>
    isOpen(call) ? { ...call, status: 'running', ...pick(event, 'repairs') } : call,
  'tool-progress': (call, event) =>
    running(call, { progress: pick(event, 'progress', 'total', 'message') }),
  'tool-log': (call, event) => running(call, { log: pick(event, 'server', 'level', 'text') }),
  elicitation: (call, event) =>
    running(call, { elicitations: [...(call.live?.elicitations ?? []), event] }),
  'elicitation-answered': (call, { elicitationId }) => {
    const { elicitations = [] } = call.live ?? {};
    const open = elicitations.filter((one) => one.elicitationId !== elicitationId);
    return running(call, { elicitations: open });
  },
  result: (call, event) => settled(call, { status: 'done', output: event.output }, event),
  failure: (call, event) => {
    const { error, isUnknown } = event;
    const status = isUnknown === true ? 'unknown' : call.status === 'denied' ? 'denied' : 'failed';
    return settled(call, { status, error }, event);
  },
};

export function isOfCall(event: AgentEvent): event is CallEvent {
  return Object.hasOwn(CHANGES, event.type);
}

/** The call after an event that is about it. */
export function changedCall(call: ScreenCall, event: CallEvent): ScreenCall {
  if (call.status === 'withdrawn') return call;
  const change = CHANGES[event.type] as (call: ScreenCall, event: CallEvent) => ScreenCall;
  return change(call, event);
}

/** Also a refused call can be withdrawn with its answer. */
export function hasNotRun({ status }: ScreenCall): boolean {
  return status !== 'done' && status !== 'unknown' && status !== 'withdrawn';
}

function isOpen({ status }: ScreenCall): boolean {
  return status === 'waiting' || status === 'asked' || status === 'running';
}

/** Only for a call without an outcome: late events change nothing. */
export function running(call: ScreenCall, live: CallLive): ScreenCall {
  if (!isOpen(call)) return call;
  return { ...call, status: 'running', live: { ...call.live, ...live } };
}

function settled(
  { live: _, ...call }: ScreenCall,
  outcome: Pick<ScreenCall, 'status' | 'output' | 'error'>,
  event: { readonly duration?: number },
): ScreenCall {
  return { ...call, ...outcome, ...pick(event, 'duration') };
}
