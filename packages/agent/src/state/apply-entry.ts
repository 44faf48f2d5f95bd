import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, pick } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import {
  type AnswerParts,
  type EntryKind,
  type Kinds,
  messageText,
  type Write,
} from '../entries/index.ts';
import { type AgentEvent, failureFacts, grantsOf, readAskedBy } from '../events/index.ts';
import { type Entry, MISSING_ENTRY } from '../sessions/index.ts';
import { rebound } from './changed-tools.ts';
import { askedEvent, withoutOpenAnswers } from './history.ts';
import { NO_ANSWER } from './messages.ts';
import { repaired } from './repair.ts';
import type { ConversationState } from './state.ts';

/** An entry with its body as it was given. */
type TakenEntry = Pick<Entry, 'id' | 'seq' | 'kind' | 'at'> & { readonly body: unknown };

/** The reducer: takes the next entry into the state. Throws `session-damaged`. */
export function applyEntry(state: ConversationState, entry: TakenEntry): void {
  if (entry.kind === MISSING_ENTRY) {
    throw new ToolfoldError(
      'session-damaged',
      `Damage of its file has destroyed the entry ${entry.seq} of the session.`,
      'The session cannot be continued. It can be read, exported, and forked before this entry.',
    );
  }
  state.follow(entry);
  if (!Object.hasOwn(TAKE, entry.kind)) return;
  try {
    TAKE[entry.kind as EntryKind]?.(state, entry.body as never);
  } catch (error) {
    throw new ToolfoldError(
      'session-damaged',
      `The entry ${entry.seq} of the session (${entry.kind}) is not as an agent writes it.`,
      'The session cannot be continued.',
      error,
    );
  }
}

type Take = {
  readonly [KIND in EntryKind]?: (state: ConversationState, body: Kinds[KIND]) => void;
};

/** What each kind of entry changes in the state. */
const TAKE: Take = {
  turn: (state, { number, how }) => {
    const goesOn = (how === 'resume' || how === 'answer') && state.isOpen;
    if (!goesOn) state.began = state.at;
    state.turn = number;
    state.step = 0;
    state.end = undefined;
    if (how === 'send') state.posted = [];
    // An answer that is read again belongs to the turn.
    state.texts = how === 'resume' && state.toReplay ? [textIn(state.toReplay.content)] : [];
    // The request of an interrupted answer is sent again.
    if (how === 'resume' && state.interrupted !== undefined)
      state.replace(state.messages.slice(0, -1), state.messages.length - 1);
  },
  user: (state, { message, id, posted = 0 }) => {
    if (id !== undefined) state.ids.add(id);
    state.at = Math.max(state.at, posted);
    state.add(message);
  },
  model: (state, { step, ...answer }) => {
    state.add();
    state.accept();
    state.answer = answer;
    state.step = step;
    state.texts = [...state.texts, textIn(answer.content)];
    state.calls.clear();
    // Endpoints may use an id again in each answer.
    for (const part of answer.content) {
      if (part.type !== 'tool-call') continue;
      state.callIds.add(part.toolCallId);
      state.runs.delete(part.toolCallId);
      state.children.delete(part.toolCallId);
    }
  },
  call: ({ calls }, { id, name }) => void calls.set(id, name),
  input: (state, { id, name, input }) => change(state, id, { toolName: name, input }),
  approval: (state, approval) => {
    const { approvalId, id, call } = approval;
    if (call) change(state, id, { ...call, input: approval.arguments });
    state.asked.set(approvalId, { question: approval, at: state.at });
  },
  answer: (state, answer) => {
    const { approvalId, approved, scope, name, fingerprint } = answer;
    const asked = state.asked.get(approvalId);
    const given = pick(answer, 'approved', 'scope', 'reason', 'tools');
    if (asked) state.asked.set(approvalId, { ...asked, answer: given });
    state.granted = [...state.granted, ...grantsOf(answer)];
    const isLonger = scope === 'session' || scope === 'always';
    // Without a definition nobody could tell whether the tool is still the one that was approved.
    if (!approved || !isLonger || fingerprint === undefined) return;
    const { askedBy, askKey } = readAskedBy(answer);
    const granted = { name, fingerprint };
    if (askedBy === 'setting') state.granted = [...state.granted, granted];
    else if (askKey !== undefined) state.granted = [...state.granted, { ...granted, askKey }];
  },
  start: ({ runs, at }, { id, name }) => {
    // What the user decided about an earlier run does not hold for this one.
    if (!runs.get(id)?.outcome) runs.set(id, { name, at });
  },
  result: (state, { answer, id, name, duration: _, isBridge: __, isUnknown: ___, ...outcome }) => {
    // A tool that did not stop may end when its call is settled, or when a later answer has used the id again.
    if (answer !== undefined && answer !== state.answered?.seq) return;
    const known = state.runs.get(id);
    // The result that the AI SDK itself has given to a call names no answer: the last one counts.
    if (known?.outcome && answer !== undefined) return;
    const { choice } = known ?? {};
    state.runs.set(id, { name, outcome, ...(choice ? { choice } : {}) });
  },
  unknown: ({ runs }, choice) =>
    void runs.set(choice.id, { name: choice.name, ...runs.get(choice.id), choice }),
  messages: (state, { keep, add }) => {
    const before = state.messages;
    if (keep === before.length) state.add(...add);
    else state.replace([...before.slice(0, keep), ...add], keep);
    state.adopt(add);
  },
  compaction: (state, { messages }) => {
    state.replace(messages, 0);
    state.epoch = undefined;
    state.isCompacted = true;
    state.areToolsLeftOut = !state.areToolsOn;
  },
  epoch: (state, { state: epoch }) => {
    state.epoch = epoch;
  },
  interrupted: (state, { text, answer, note }) => {
    if (answer !== undefined && answer === state.answered?.seq) {
      state.answer = undefined;
      state.texts = state.texts.slice(0, -1);
    }
    state.texts = [...state.texts, text];
    const said = text === '' ? [] : [{ type: 'text' as const, text }];
    const mark = { type: 'text' as const, text: NO_ANSWER };
    const content = [...(note ? [note] : []), ...said, mark];
    state.add({ role: 'assistant', content } as ModelMessage);
  },
  request: (state, body) => state.sent(body),
  system: ({ systems }, { key, text }) => void systems.set(key, text ?? undefined),
  tools: (state, { on, leftOut = false }) => {
    state.areToolsOn = on;
    state.areToolsLeftOut = !on && leftOut;
  },
  settings: (state, settings) => {
    state.settings = settings;
  },
  children: ({ children, named }, { id, names }) => {
    children.set(id, names);
    for (const name of Object.values(names)) named.add(name);
  },
  message: (state, message) => {
    // What the user wrote has an entry of its own, or was no message.
    if (message.kind !== 'user') state.posted = [...state.posted, message];
    // The clock of the one who posted it may be ahead. What is written behind it is later.
    state.at = Math.max(state.at, message.at);
  },
  outcome: (state, outcome) => {
    state.outcome = outcome;
  },
  imported: (state) => {
    state.granted = [];
    // A file could name the settings in place of a hook.
    for (const [id, { question, at }] of state.asked) {
      const { askedBy: _, askKey: __, ...asked } = question;
      state.asked.set(id, { question: asked, at });
    }
    // Models trust system text more than messages, so it is made again here.
    state.systems.clear();
    state.epoch = undefined;
    state.posted = [];
    for (const [id, { name, outcome }] of state.runs)
      state.runs.set(id, outcome ? { name, outcome } : { name });
    state.messages = repaired(withoutOpenAnswers(state.settled)).messages;
  },
  quick: (state, { usage }) => state.accounts.take({ type: 'usage', ...usage }),
  event: (state, { event }) => {
    if (event.type === 'end') {
      state.end = event.reason;
      // What follows from the last answer is settled.
      state.add();
      if (failureFacts(event.error).isAboutFile) state.refuseFiles();
    }
    if (event.type === 'usage' || event.type === 'subagent') state.accounts.take(event);
    if (event.type === 'subagent') state.paid.add(event.child);
  },
};

function textIn(content: AnswerParts): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** Changes a call of the last answer, also where the answer is among the messages already. */
function change(
  state: ConversationState,
  id: string,
  call: NonNullable<Kinds['approval']['call']> & { readonly input: unknown },
): void {
  const { answer } = state;
  const at = answer?.content.findLastIndex(
    (part) => part.type === 'tool-call' && part.toolCallId === id,
  );
  const part = at === undefined ? undefined : answer?.content[at];
  if (answer && at !== undefined && part)
    state.answer = { ...answer, content: answer.content.with(at, { ...part, ...call } as never) };
  else state.messages = rebound(state.settled, id, call);
}

/**
 * The events of an entry, except for the text of an answer. `before`: the state before it. The calls of an answer are
 * emitted while it arrives.
 * An event with `end` or `request` stays as it was given.
 */
export function eventsOfEntry(
  [kind, body]: Write,
  before: Pick<ConversationState, 'interrupted' | 'runs' | 'answered'>,
): readonly AgentEvent[] {
  switch (kind) {
    case 'turn': {
      const { interrupted: text = '' } = before;
      return body.how === 'resume' && text !== '' ? [{ type: 'discarded', text }] : [];
    }
    case 'user':
      return [{ type: 'user', text: messageText(body.message) }];
    case 'call':
      return [{ type: 'call', ...body }];
    case 'approval':
      return [askedEvent(body)];
    case 'answer':
      return [{ type: 'decision', ...pick(body, ...DECISION) }];
    case 'start':
      return [{ type: 'tool-start', ...body }];
    case 'result': {
      const { answer, id } = body;
      const isKnown = before.runs.get(id)?.outcome !== undefined;
      const isLate = answer !== undefined && (isKnown || answer !== before.answered?.seq);
      return isLate ? [] : outcomeOf(body);
    }
    case 'interrupted':
      return body.withdrawn ? [{ type: 'discarded', ...body.withdrawn }] : [];
    case 'compaction': {
      const { messages: _, ...compaction } = body;
      return [{ type: 'compaction', ...compaction }];
    }
    case 'event':
      return [body.event];
    default:
      return [];
  }
}

/** What an event says of the user's answer. */
const DECISION = ['id', 'name', 'approved', 'reason', 'approvalId', 'scope', 'source'] as const;

/** What happened to a call, as its entry says. Bridge tools are not shown, but what they have loaded. */
function outcomeOf(result: Kinds['result']): readonly AgentEvent[] {
  const { id, name, output, error, isBridge } = result;
  if (isBridge) return error === undefined ? loadsIn(output) : [];
  if (error === undefined)
    return [{ type: 'result', id, name, output, ...pick(result, 'duration') }];
  return [{ type: 'failure', id, name, error, ...pick(result, 'duration', 'isUnknown') }];
}

function loadsIn(output: unknown): readonly AgentEvent[] {
  const group = ownProperty(output, 'group_id');
  const tools = ownProperty(output, 'tool_names');
  const isLoad = ownProperty(output, 'expanded') === true && Array.isArray(tools);
  if (!isLoad || typeof group !== 'string') return [];
  return [{ type: 'load', group, tools: tools.map(String) }];
}
