import { type ScreenBlock, type ScreenCall, type ScreenView, screenOf } from '../../agent/index.ts';
import { readTranscript } from '../../agent/transcript/index.ts';
import type { Entry, SessionStore } from '../../sessions/index.ts';
import { eventsOfSession } from './rebuilt-events.ts';

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
