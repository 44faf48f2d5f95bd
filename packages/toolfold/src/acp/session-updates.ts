import type {
  ClientCapabilities,
  ContentBlock,
  Notice,
  SessionUpdate,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import { messageText } from '@toolfold/agent/internal/entries';
import type { AgentEvent } from '@toolfold/agent/internal/events';
import { ownProperty } from '@toolfold/core/internal/values';
import {
  beginning,
  diffIn,
  END_WORDS,
  MAX_SHOWN,
  progressWords,
  shownText,
  shownValue,
  wordsOf,
} from '../shown/index.ts';
import { oneLine } from '../terminal/index.ts';
import { CallCards, MAX_IMAGE, outputContent, textContent, toolCallOf } from './call-cards.ts';

type EventOf<TYPE extends AgentEvent['type']> = Extract<AgentEvent, { type: TYPE }>;
type Stamped = AgentEvent & { readonly turn?: number; readonly step?: number };

/** The subagents that an event comes from. */
interface SubagentPath {
  /** Their ids, each followed by a slash. */
  readonly ids: string;
  /** Their tasks, each followed by a slash. */
  readonly tasks: string;
}

const MAIN: SubagentPath = { ids: '', tasks: '' };

/** How a type of event becomes updates. */
type UpdateTable = {
  readonly [TYPE in AgentEvent['type']]?: (
    event: EventOf<TYPE>,
    place: SubagentPath,
  ) => SessionUpdate[];
};

/**
 * Turns the events of one session into updates for an editor. Events of a turn and events that are rebuilt
 * from the journal give the same updates, except for `user` events and for notices, which only one of
 * the two has. What the protocol has no form for gives none.
 */
export class SessionUpdates {
  readonly cards: CallCards = new CallCards();
  readonly #capabilities: ClientCapabilities['session'];
  readonly #contextWindow: () => number | undefined;
  #messages = 0;
  #compactions = 0;
  /** What the last text belongs to. Text of another kind, request or turn is another message. */
  #last: string | undefined;

  /** `contextWindow`: tokens of the model's window, if they are known. */
  constructor({ session }: ClientCapabilities, contextWindow: () => number | undefined) {
    this.#capabilities = session;
    this.#contextWindow = contextWindow;
  }

  /** The updates for an event, in order. Secrets are not removed here. */
  of(event: Stamped): SessionUpdate[] {
    const isText = event.type === 'text' || event.type === 'reasoning';
    const key = isText ? `${event.type} ${event.turn} ${event.step}` : undefined;
    if (isText && key !== this.#last) this.#messages += 1;
    if (isText || BREAKS.has(event.type)) this.#last = key;
    return this.#at(event, MAIN);
  }

  /** A message of Toolfold itself. */
  message(text: string): SessionUpdate {
    this.#messages += 1;
    this.#last = undefined;
    return this.#chunk('agent_message_chunk', text);
  }

  #at<TYPE extends AgentEvent['type']>(event: EventOf<TYPE>, place: SubagentPath): SessionUpdate[] {
    const row = this.#table[event.type] as UpdateTable[TYPE];
    return row ? row(event, place) : this.#notice(event, place);
  }

  /** Other events are notices, if anything. A permission request shows an approval. */
  readonly #table: UpdateTable = {
    user: ({ text }, { ids }) => {
      if (ids !== '') return [];
      this.#messages += 1;
      return [this.#chunk('user_message_chunk', text)];
    },
    text: ({ text }, { ids }) => (ids === '' ? [this.#chunk('agent_message_chunk', text)] : []),
    reasoning: ({ text }, { ids }) =>
      ids === '' ? [this.#chunk('agent_thought_chunk', text)] : [],
    call: ({ id, name, arguments: given }, { ids, tasks }) => {
      const call = { id: `${ids}${id}`, name, arguments: given, path: tasks };
      const { toolCallId, isNew } = this.cards.open(call);
      const shown = toolCallOf(toolCallId, call);
      return [
        isNew
          ? { sessionUpdate: 'tool_call', ...shown }
          : { sessionUpdate: 'tool_call_update', ...shown },
      ];
    },
    'tool-start': ({ id }, place) => this.#progress(id, place, { status: 'in_progress' }),
    'tool-progress': (event, place) =>
      this.#progress(event.id, place, {
        ...{ status: 'in_progress', content: textContent(progressWords(event)) },
      }),
    result: ({ id, output }, place) =>
      this.#outcome(id, place, {
        // A tool of MCP says with its result that it has failed.
        status: ownProperty(output, 'isError') === true ? 'failed' : 'completed',
        content: this.#resultContent(`${place.ids}${id}`, output),
        rawOutput: shownValue(output),
      }),
    failure: ({ id, error }, place) =>
      this.#outcome(id, place, { status: 'failed', content: textContent(error) }),
    discarded: (event, place) => [
      ...(event.calls ?? []).flatMap(({ id }) =>
        this.#outcome(id, place, { status: 'failed', content: textContent(WITHDRAWN) }),
      ),
      ...this.#notice(event, place),
    ],
    usage: ({ kind, input, output }, { ids }) => {
      if (ids !== '' || kind !== undefined) return [];
      // The protocol has no word for a window that is not known.
      const size = this.#contextWindow() ?? 0;
      return [{ sessionUpdate: 'usage_update', used: input + output, size }];
    },
    compaction: (event, { ids }) => {
      if (ids !== '') return [];
      this.#compactions += 1;
      if (!this.#capabilities?.compaction) {
        this.#messages += 1;
        return [this.#chunk('agent_message_chunk', `(${wordsOf(event)})`)];
      }
      const text = beginning(event.summary, MAX_SHOWN);
      const parts = text === '' ? {} : { summary: [{ type: 'text' as const, text }] };
      const compactionId = `compaction-${this.#compactions}`;
      return [{ sessionUpdate: 'compaction_update', compactionId, status: 'completed', ...parts }];
    },
    subagent: ({ child, task, event }, { ids, tasks }) =>
      this.#at(event, { ids: `${ids}${child}/`, tasks: `${tasks}${task}/` }),
  };

  #chunk(
    sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
    text: string,
  ): SessionUpdate {
    return { sessionUpdate, messageId: `${this.#messages}`, content: { type: 'text', text } };
  }

  #progress(id: string, { ids }: SubagentPath, changes: object): SessionUpdate[] {
    return this.#changed(this.cards.idOf(`${ids}${id}`), changes);
  }

  #outcome(id: string, { ids }: SubagentPath, changes: object): SessionUpdate[] {
    return this.#changed(this.cards.close(`${ids}${id}`), changes);
  }

  #changed(toolCallId: string | undefined, changes: object): SessionUpdate[] {
    if (toolCallId === undefined) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId, ...changes }];
  }

  /** What a call has changed stays on its card. A result that is the same as a text is not shown beside it. */
  #resultContent(id: string, output: unknown): ToolCallContent[] {
    const diff = this.cards.diffOf(id);
    const isSame = diff.length > 0 && diffIn(shownText(output)) !== undefined;
    return isSame ? diff : [...diff, ...outputContent(output)];
  }

  #notice(event: AgentEvent, { ids, tasks }: SubagentPath): SessionUpdate[] {
    const notice = this.#capabilities?.notices ? noticeOf(event, ids === '') : undefined;
    if (!notice) return [];
    const title = `${tasks === '' ? '' : `[${tasks.slice(0, -1)}] `}${notice.title}`;
    return [{ sessionUpdate: 'notice', ...notice, title }];
  }
}

/** After these a text is another message. */
const BREAKS: ReadonlySet<AgentEvent['type']> = new Set([
  'user',
  'call',
  'discarded',
  'compaction',
  'end',
]);

const WITHDRAWN = 'Withdrawn: the answer broke off, and this call did not run.';

/** Most characters of a notice. */
const MAX_NOTICE = 300;

const SEVERITY: Readonly<Partial<Record<AgentEvent['type'], Notice['severity']>>> = {
  ...{ retry: 'info', fallback: 'info' },
  ...{ warning: 'warning', rounds: 'warning', discarded: 'warning', 'subagent-end': 'warning' },
};

/** A notice for the user about an event. `isMain`: it is not of a subagent. Undefined for most events. */
function noticeOf(event: AgentEvent, isMain: boolean): Notice | undefined {
  const severity = event.type === 'end' ? 'warning' : SEVERITY[event.type];
  const title = event.type === 'end' ? endWords(event.reason, isMain) : workWords(event);
  return severity && title !== undefined
    ? { severity, title: oneLine(title, MAX_NOTICE) }
    : undefined;
}

function workWords(event: AgentEvent): string | undefined {
  if (event.type === 'discarded' && event.text === undefined) return;
  if (event.type !== 'subagent-end') return wordsOf(event);
  return event.status === 'done' ? undefined : `[${event.task}] ${wordsOf(event)}`;
}

/** The reasons for which the protocol has no word. */
function endWords(reason: string, isMain: boolean): string | undefined {
  const isUnknown = reason === 'content-filter' || reason === 'other';
  return isMain && isUnknown ? END_WORDS[reason] : undefined;
}

/**
 * What a message of the user says, as an editor sends it: texts, images, and other files as resources. Undefined for a message without
 * files. A line stands in the place of a large file.
 */
export function userBlocks(message: unknown): readonly ContentBlock[] | undefined {
  const content = ownProperty(message, 'content');
  if (!Array.isArray(content)) return;
  const blocks = content.map(blockOf);
  return blocks.some(({ type }) => type !== 'text') ? blocks : undefined;
}

function blockOf(part: unknown): ContentBlock {
  const [data, mimeType, name] = ['data', 'mediaType', 'filename'].map((key) =>
    ownProperty(part, key),
  );
  const text = messageText({ content: [part] });
  if (typeof data !== 'string' || typeof mimeType !== 'string' || data.length > MAX_IMAGE)
    return { type: 'text', text };
  const uri = typeof name === 'string' ? { uri: name } : {};
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType, ...uri };
  const resource = { blob: data, mimeType, uri: typeof name === 'string' ? name : 'file' };
  return { type: 'resource', resource };
}
