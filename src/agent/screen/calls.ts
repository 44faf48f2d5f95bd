import { pick } from '../../tools/values/index.ts';
import { type AgentEvent, readAskedBy } from '../events/index.ts';
import type { CallLive, EventOf, ScreenBlock, ScreenCall, ScreenTurn } from './view.ts';

/** Adds a call. A call that an attempt before has written is replaced. */
export function withCall(turn: ScreenTurn, event: EventOf<'call'>): ScreenTurn {
  const { step, blocks } = turn;
  const card: ScreenCall = {
    ...{ kind: 'call', step, status: 'waiting', children: [] },
    ...pick(event, 'id', 'name', 'arguments', 'schema', 'wireName', 'raw'),
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

/** The call after an event that is about it. */
export function changedCall(call: ScreenCall, event: AgentEvent): ScreenCall {
  if (call.status === 'withdrawn') return call;
  switch (event.type) {
    case 'approval': {
      const approval = { ...pick(event, 'approvalId', 'reason'), ...readAskedBy(event) };
      return { ...call, status: 'asked', approval };
    }
    case 'decision': {
      const decision = pick(event, 'approved', 'reason', 'scope', 'source');
      const approval = { ...pick(event, 'approvalId'), ...call.approval, decision };
      return { ...call, status: event.approved ? 'waiting' : 'denied', approval };
    }
    case 'tool-start':
      return isOpen(call) ? { ...call, status: 'running' } : call;
    case 'tool-progress':
      return running(call, { progress: pick(event, 'progress', 'total', 'message') });
    case 'tool-log':
      return running(call, { log: pick(event, 'server', 'level', 'text') });
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
