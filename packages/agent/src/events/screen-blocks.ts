import { pick } from '@toolfold/core/internal/values';
import type { AgentEvent } from './events.ts';
import type {
  CallLive,
  EventOf,
  ScreenBlock,
  ScreenCall,
  ScreenText,
  ScreenTurn,
} from './screen-view.ts';
import { readAskedBy } from './user-requests.ts';

/** Adds text to the last block if it is of the same kind and request, else as a new block. */
export function withText(turn: ScreenTurn, kind: ScreenText['kind'], text: string): ScreenTurn {
  const { step, blocks } = turn;
  const end = joined([...blocks.slice(-1), { kind, step, text }]);
  return { ...turn, blocks: [...blocks.slice(0, -1), ...end] };
}

/**
 * Removes a withdrawn text: from the end of the texts of its kind, else the latest request whose whole text it is,
 * else the last place where it stands. Does nothing if it is not there.
 */
export function withoutText(
  turn: ScreenTurn,
  kind: ScreenText['kind'],
  withdrawn: string,
): ScreenTurn {
  const texts = turn.blocks.filter((block): block is ScreenText => block.kind === kind);
  const at = placeOf(texts, withdrawn);
  if (withdrawn === '' || at === undefined) return turn;
  let position = 0;
  const blocks = turn.blocks.flatMap((block): ScreenBlock[] => {
    if (block.kind !== kind) return [block];
    const { text } = block;
    const from = Math.max(0, at - position);
    const to = Math.max(0, at + withdrawn.length - position);
    position += text.length;
    const rest = text.slice(0, from) + text.slice(to);
    return rest === text ? [block] : rest === '' ? [] : [{ ...block, text: rest }];
  });
  return { ...turn, blocks: joined(blocks) };
}

/** Where the text begins in all text of its kind; undefined if it is not there. */
function placeOf(texts: readonly ScreenText[], withdrawn: string): number | undefined {
  const steps = [...new Set(texts.map(({ step }) => step))];
  const textOf = (isMeant: (step: number) => boolean) =>
    texts.flatMap(({ step, text }) => (isMeant(step) ? text : [])).join('');
  const all = textOf(() => true);
  if (all.endsWith(withdrawn)) return all.length - withdrawn.length;
  const whole = steps.findLast((step) => textOf((one) => one === step) === withdrawn);
  if (whole !== undefined) return textOf((step) => step < whole).length;
  const at = all.lastIndexOf(withdrawn);
  return at < 0 ? undefined : at;
}

/** Joins texts between which a block is gone. */
export function joined(blocks: readonly ScreenBlock[]): ScreenBlock[] {
  const all: ScreenBlock[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    const isSame = last && last.kind === block.kind && last.step === block.step;
    if (isSame && last.kind !== 'call' && block.kind !== 'call')
      all[all.length - 1] = { ...last, text: last.text + block.text };
    else all.push(block);
  }
  return all;
}

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
type LaterCallEvent = Exclude<
  Extract<AgentEvent, { readonly id: string }>,
  EventOf<'call' | 'call-delta'>
>;

/** The call after each event that is about it. */
const CHANGES: {
  readonly [TYPE in LaterCallEvent['type']]: (call: ScreenCall, event: EventOf<TYPE>) => ScreenCall;
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

export function isOfCall(event: AgentEvent): event is LaterCallEvent {
  return Object.hasOwn(CHANGES, event.type);
}

/** The call after an event that is about it. */
export function changedCall(call: ScreenCall, event: LaterCallEvent): ScreenCall {
  if (call.status === 'withdrawn') return call;
  const change = CHANGES[event.type] as (call: ScreenCall, event: LaterCallEvent) => ScreenCall;
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

/** The texts of a turn, with a blank line between different ones. */
export function joinedTexts(texts: readonly string[]): string {
  return texts.reduce((all, text) => all + gapBetween(all, text) + text, '');
}

/** The line breaks to insert for a blank line between two texts. */
export function gapBetween(before: string, after: string): string {
  if (before.trim() === '' || after.trim() === '') return '';
  const present = (/\n*$/.exec(before)?.[0].length ?? 0) + (/^\n*/.exec(after)?.[0].length ?? 0);
  return '\n'.repeat(Math.max(0, 2 - present));
}
