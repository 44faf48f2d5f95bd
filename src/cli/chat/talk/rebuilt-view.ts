import {
  type ScreenBlock,
  type ScreenCall,
  type ScreenView,
  screenOf,
} from '../../../agent/index.ts';
import { readTranscript } from '../../../agent/transcript/index.ts';
import type { Entry, SessionStore } from '../../../sessions/index.ts';
import { eventsOfSession, openAnswer } from '../../turns/index.ts';

/** What a chat shows of a session: rebuilt from its entries and those of its subagents. */
export async function rebuiltView(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<ScreenView> {
  const events = await eventsOfSession(store, id, entries);
  return withStarted(screenOf(events), entries);
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
  return openAnswer(entries) ? entries.slice(0, entries.findLastIndex(isAnswer)) : entries;
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'model';
}
