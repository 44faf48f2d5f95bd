import {
  eventsOf,
  type ScreenBlock,
  type ScreenCall,
  type ScreenView,
  screenOf,
} from '../../../agent/index.ts';
import { JournalState } from '../../../agent/journal/index.ts';
import { readTranscript } from '../../../agent/transcript/index.ts';
import type { Entry, SessionStore } from '../../../sessions/index.ts';
import { isRecord, own } from '../../../tools/values/index.ts';

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  const children = new Map<string, readonly Entry[]>();
  await readChildren(store, id, entries, '', children);
  const view = screenOf(eventsOf(entries, (child) => children.get(child) ?? []));
  return withStarted(view, entries);
}

/** The view with the calls that have started, which no event tells. */
function withStarted({ turns }: ScreenView, entries: readonly Entry[]): ScreenView {
  const { open } = readTranscript(entries);
  const started = new Set(open.flatMap(({ id, state }) => (state === 'unknown' ? [id] : [])));
  const isStarted = (block: ScreenBlock) =>
    block.kind === 'call' && block.status === 'waiting' && started.has(block.id);
  return {
    turns: turns.map((turn, at) => {
      if (at < turns.length - 1 || !turn.blocks.some(isStarted)) return turn;
      const blocks = turn.blocks.map((block) =>
        isStarted(block) ? ({ ...block, status: 'running' } as ScreenCall) : block,
      );
      return { ...turn, blocks };
    }),
  };
}

/**
 * The entries before an answer that will be given again: a turn that stopped while the calls of an answer
 * ran goes on with this answer. All entries if there is none.
 */
export function withoutOpenAnswer(entries: readonly Entry[]): readonly Entry[] {
  const state = new JournalState();
  for (const entry of entries) state.take(entry);
  return state.answer ? entries.slice(0, entries.findLastIndex(isAnswer)) : entries;
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'model';
}

/** Reads the entries of all subagents, at all levels. */
async function readChildren(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
  path: string,
  into: Map<string, readonly Entry[]>,
): Promise<void> {
  for (const { kind, body } of entries) {
    const names = kind === 'children' ? own(body, 'names') : undefined;
    for (const name of isRecord(names) ? Object.values(names) : []) {
      const child = `${path}${String(name)}`;
      if (into.has(child)) continue;
      const own = await store.read(`${id}/${child}`);
      into.set(child, own);
      await readChildren(store, id, own, `${child}/`, into);
    }
  }
}
