import { ownProperty, pick } from '@toolfold/core/internal/values';
import { type AgentEvent, NOTHING_SPENT, withUsage } from './events.ts';
import {
  changedCall,
  hasNotRun,
  isOfCall,
  joined,
  running,
  withCall,
  withDelta,
  withoutDrafts,
  withoutText,
  withText,
} from './screen-blocks.ts';
import {
  type EventOf,
  NOTICES,
  type ScreenCall,
  type ScreenChild,
  type ScreenEnd,
  type ScreenTurn,
  type ScreenView,
} from './screen-view.ts';
import { failureFacts } from './turn-error.ts';

/** A screen that follows the events of one agent. */
export interface Screen {
  /** What it shows now. Parts that have not changed are the same objects as before. */
  readonly view: ScreenView;
  take(event: AgentEvent): void;
}

/** Creates a screen, with what an earlier one showed. */
export function createScreen(view: ScreenView = { turns: [] }): Screen {
  const turns = [...view.turns];
  let now: ScreenView | undefined = view;
  return {
    get view() {
      now ??= { turns: [...turns] };
      return now;
    },
    take(event) {
      advance(turns, event);
      now = undefined;
    },
  };
}

/** What a screen shows after these events. */
export function screenOf(events: Iterable<AgentEvent>): ScreenView {
  const screen = createScreen();
  for (const event of events) screen.take(event);
  return screen.view;
}

type OfChild = EventOf<'subagent' | 'subagent-end'>;
type Stamped = AgentEvent & { readonly turn?: number };

/**
 * Takes one more event into the turns, which may carry the number of its turn. The list is changed, because a
 * long conversation has thousands of turns and many more events; each turn is replaced by a new one.
 */
function advance(turns: ScreenTurn[], event: Stamped): void {
  if ((event.type === 'text' || event.type === 'reasoning') && event.text === '') return;
  open(turns, event);
  if (event.type === 'subagent' || event.type === 'subagent-end') {
    changeCall(
      turns,
      (call) => isParent(call, event),
      (call) => withChild(call, event),
    );
  } else if (isOfCall(event)) {
    changeCall(
      turns,
      ({ id }) => id === event.id,
      (call) => changedCall(call, unstamped(event)),
    );
  } else turns.push(...turns.splice(-1).map((last) => ofTurn(last, event)));
}

/** A turn begins with the user's words. Where events carry numbers, it begins with the first event of a new number. */
function open(turns: ScreenTurn[], event: Stamped): void {
  const last = turns.at(-1);
  const { turn: number } = event;
  const isNew = number !== undefined && last?.number !== undefined && number !== last.number;
  const isUsed =
    last !== undefined && (last.user !== undefined || last.blocks.length > 0 || last.end);
  if (last && !isNew && !(event.type === 'user' && isUsed)) {
    const isNamed = number === undefined || last.number === number;
    const named = isNamed ? last : { ...last, number };
    turns[turns.length - 1] = named.end && goesOn(event) ? withoutEnd(named) : named;
    return;
  }
  const named = number === undefined ? {} : { number };
  turns.push({ ...named, step: 0, blocks: [], notices: [], usage: NOTHING_SPENT });
}

/** Whether an event shows that a turn goes on after an end, for example after an answer to an approval. */
function goesOn(event: AgentEvent): boolean {
  const isCompaction = event.type === 'request' && event.kind === 'compaction';
  return CONTINUING.has(event.type) && !isCompaction;
}

const CONTINUING: ReadonlySet<AgentEvent['type']> = new Set([
  'decision',
  'approval',
  'request',
  'text',
  'reasoning',
  'call',
]);

function withoutEnd({ end: _, ...turn }: ScreenTurn): ScreenTurn {
  return turn;
}

/** The turn after an event that is about the turn itself. */
function ofTurn(turn: ScreenTurn, event: AgentEvent): ScreenTurn {
  switch (event.type) {
    case 'user':
      return { ...turn, user: event.text };
    case 'start':
      return { ...turn, start: pick(event, 'model', 'role', 'strategy', 'reason') };
    case 'request': {
      const request = pick(event, 'request', 'strategy', 'form', 'tokens', 'cache');
      return { ...withoutDrafts(turn), step: turn.step + 1, request };
    }
    case 'text':
    case 'reasoning':
      return withText(turn, event.type, event.text);
    case 'call-delta':
      return withDelta(turn, event);
    case 'call':
      return withCall(turn, event);
    case 'discarded':
      return discarded(turn, event);
    case 'usage':
      return { ...turn, usage: withUsage(turn.usage, event) };
    case 'end':
      // What follows an end without continuing the turn, such as a compaction, does not change how it ended.
      return { ...withoutDrafts(turn), end: turn.end ?? endOf(event) };
    default:
      if (!isNotice(event)) return turn;
      return {
        ...turn,
        notices: [...turn.notices, { ...unstamped(event), place: turn.blocks.length }],
      };
  }
}

function discarded(
  turn: ScreenTurn,
  { text = '', reasoning = '', calls = [] }: EventOf<'discarded'>,
): ScreenTurn {
  const spoken = withoutText(withoutDrafts(turn), 'text', text);
  const without = withoutText(spoken, 'reasoning', reasoning);
  const blocks = [...without.blocks];
  // Withdrawn calls stand behind what stays of their answer.
  for (const { id, name } of calls) {
    const at = blocks.findLastIndex(
      (one) => one.kind === 'call' && one.id === id && hasNotRun(one),
    );
    if (at >= 0) blocks.splice(at, 1);
    blocks.push({ kind: 'call', step: turn.step, id, name, status: 'withdrawn', children: [] });
  }
  const words = {
    ...(text === '' ? {} : { text }),
    ...(reasoning === '' ? {} : { reasoning }),
  };
  const discarded =
    text + reasoning === '' ? {} : { withdrawn: [...(turn.withdrawn ?? []), words] };
  return { ...without, ...discarded, blocks: joined(blocks) };
}

/** Changes the latest call that the event is about, in whichever turn it stands. */
function changeCall(
  turns: ScreenTurn[],
  isMeant: (call: ScreenCall) => boolean,
  change: (call: ScreenCall) => ScreenCall,
): void {
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at];
    const place =
      turn?.blocks.findLastIndex((block) => block.kind === 'call' && isMeant(block)) ?? -1;
    const call = turn?.blocks[place];
    if (!turn || call?.kind !== 'call') continue;
    turns[at] = { ...turn, blocks: turn.blocks.with(place, change(call)) };
    return;
  }
}

/** Whether the call is the one that started the child of this event. */
function isParent(one: ScreenCall, { call, child, task }: OfChild): boolean {
  if (call !== undefined) return one.id === call;
  return one.children.some((known) => known.child === child) || orderOf(one, task) >= 0;
}

/** The call with the child after its event. */
function withChild(call: ScreenCall, event: OfChild): ScreenCall {
  const { child, task } = event;
  const known = call.children.find((one) => one.child === child);
  const before: ScreenChild = known ?? { child, task, status: 'running', turns: [] };
  const others = call.children.filter((one) => one !== known);
  const turns = [...before.turns];
  if (event.type === 'subagent') advance(turns, event.event);
  const news = event.type === 'subagent' ? { turns } : pick(event, 'status', 'error', 'spent');
  const after = { ...before, ...news };
  const children = [...others, after].sort(
    (a, b) => orderOf(call, a.task) - orderOf(call, b.task) || (a.child < b.child ? -1 : 1),
  );
  return running({ ...call, children }, {});
}

/** The place of a task in the arguments of the call; -1 if it is not there. */
function orderOf({ arguments: given }: ScreenCall, task: string): number {
  const tasks = ownProperty(given, 'tasks');
  return Array.isArray(tasks) ? tasks.findIndex((one) => ownProperty(one, 'id') === task) : -1;
}

function endOf(event: EventOf<'end'>): ScreenEnd {
  const { error } = event;
  const end = pick(event, 'reason', 'roundsLeft', 'code');
  if (error === undefined) return end;
  const facts = failureFacts(error);
  // In a session an error is plain data.
  const message = String(ownProperty(error, 'message') ?? error);
  return { ...end, error: message, ...(Object.keys(facts).length === 0 ? {} : { facts }) };
}

function isNotice(event: AgentEvent): event is EventOf<(typeof NOTICES)[number]> {
  return (NOTICES as readonly string[]).includes(event.type);
}

/** What an event says of its place and time. */
const STAMP: readonly string[] = ['seq', 'turn', 'step', 'at'];

/** The event without its place and time. */
function unstamped<EVENT extends AgentEvent>(event: EVENT): EVENT {
  const plain = Object.entries(event).filter(([key]) => !STAMP.includes(key));
  return Object.fromEntries(plain) as unknown as EVENT;
}
