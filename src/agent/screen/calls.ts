import { type AgentEvent, readAskedBy } from '../events/index.ts';
import type { CallDraft, CallLive, ScreenBlock, ScreenCall, ScreenTurn } from './view.ts';

type Of<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;

/** Adds a call. A call that an attempt before has written is replaced. */
export function withCall(turn: ScreenTurn, event: Of<'call'>): ScreenTurn {
  const { id, name, schema, wireName, raw } = event;
  const { step, blocks } = turn;
  const before = withoutDrafts(turn, id);
  const card: ScreenCall = {
    kind: 'call',
    step,
    id,
    name,
    arguments: event.arguments,
    ...(schema === undefined ? {} : { schema }),
    ...(wireName === undefined ? {} : { wireName }),
    ...(raw === undefined ? {} : { raw }),
    status: 'waiting',
    children: [],
  };
  const isSame = (block: ScreenBlock) =>
    block.kind === 'call' && block.id === id && block.status === 'waiting';
  return { ...before, blocks: [...blocks.filter((block) => !isSame(block)), card] };
}

/** Shows the arguments of a call while the model writes them. */
export function withDelta(turn: ScreenTurn, { id, name, text }: Of<'call-delta'>): ScreenTurn {
  const { writing = [] } = turn;
  const known = writing.find((draft) => draft.id === id);
  const named = name === undefined ? {} : { name };
  const draft: CallDraft = { id, ...named, text: (known?.text ?? '') + text };
  return { ...turn, writing: [...writing.filter((one) => one !== known), draft] };
}

/** Removes what was written of one call, or of all. */
export function withoutDrafts(turn: ScreenTurn, id?: string): ScreenTurn {
  const { writing, ...rest } = turn;
  if (!writing) return turn;
  const others = id === undefined ? [] : writing.filter((draft) => draft.id !== id);
  return others.length > 0 ? { ...rest, writing: others } : rest;
}

/** The call after an event that is about it. */
export function changedCall(call: ScreenCall, event: AgentEvent): ScreenCall {
  if (call.status === 'withdrawn') return call;
  switch (event.type) {
    case 'approval': {
      const { approvalId, reason } = event;
      const why = reason === undefined ? {} : { reason };
      return { ...call, status: 'asked', approval: { approvalId, ...why, ...readAskedBy(event) } };
    }
    case 'decision':
      return {
        ...call,
        status: event.approved ? 'waiting' : 'denied',
        approval: decided(call, event),
      };
    case 'tool-start':
      return isOpen(call) ? { ...call, status: 'running' } : call;
    case 'tool-progress': {
      const { progress, total, message } = event;
      const most = total === undefined ? {} : { total };
      const said = message === undefined ? {} : { message };
      return running(call, { progress: { progress, ...most, ...said } });
    }
    case 'tool-log': {
      const { server, level, text } = event;
      return running(call, { log: { server, level, text } });
    }
    case 'elicitation': {
      const others = call.live?.elicitations ?? [];
      return running(call, { elicitations: [...others, event] });
    }
    case 'elicitation-answered': {
      const { elicitations = [] } = call.live ?? {};
      const isOpen = ({ elicitationId }: { readonly elicitationId: string }) =>
        elicitationId !== event.elicitationId;
      return running(call, { elicitations: elicitations.filter(isOpen) });
    }
    case 'result':
      return settled(call, { status: 'done', output: event.output }, event);
    case 'failure': {
      const status =
        event.isUnknown === true ? 'unknown' : call.status === 'denied' ? 'denied' : 'failed';
      return settled(call, { status, error: event.error }, event);
    }
    default:
      return call;
  }
}

/** Also a refused call can be withdrawn with its answer. */
export function hasNotRun({ status }: ScreenCall): boolean {
  return status !== 'done' && status !== 'unknown' && status !== 'withdrawn';
}

function isOpen({ status }: ScreenCall): boolean {
  return status === 'waiting' || status === 'asked' || status === 'running';
}

function decided(
  { approval = {} }: ScreenCall,
  { approved, reason, scope, source, approvalId }: Of<'decision'>,
): NonNullable<ScreenCall['approval']> {
  return {
    ...(approvalId === undefined ? {} : { approvalId }),
    ...approval,
    decision: {
      approved,
      ...(reason === undefined ? {} : { reason }),
      ...(scope === undefined ? {} : { scope }),
      ...(source === undefined ? {} : { source }),
    },
  };
}

/** Only for a call without an outcome: late events change nothing. */
export function running(call: ScreenCall, live: CallLive): ScreenCall {
  if (!isOpen(call)) return call;
  return { ...call, status: 'running', live: { ...call.live, ...live } };
}

function settled(
  { live: _, ...call }: ScreenCall,
  outcome: Pick<ScreenCall, 'status' | 'output' | 'error'>,
  { duration }: { readonly duration?: number },
): ScreenCall {
  return { ...call, ...outcome, ...(duration === undefined ? {} : { duration }) };
}
