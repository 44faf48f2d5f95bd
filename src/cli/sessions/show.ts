import { hostname } from 'node:os';
import { Command } from 'commander';
import { readTranscript, type Transcript } from '../../agent/transcript/index.ts';
import type { SessionRecord, SessionStore } from '../../sessions/index.ts';
import { type CommandContext, json as jsonText } from '../terminal/index.ts';
import { findSession } from './find-session.ts';
import { withStore } from './open-store.ts';
import { type SessionState, sessionState } from './session-state.ts';
import { showText } from './show-text.ts';

/** The output of `toolfold sessions show --json`. */
export interface ShownSession extends Omit<Transcript, 'messages'> {
  readonly session: SessionRecord;
  readonly state: SessionState;
  /** Ids of the sessions of its subagents, and of its forks. */
  readonly children: readonly string[];
  readonly forks: readonly string[];
}

const afterHelp = `
The beginning of an id is enough if no other id begins with it.

Examples:
  toolfold sessions show 3f2a
  toolfold sessions show 3f2a --json`;

/** `toolfold sessions show`. */
export function showCommand({ terminal }: CommandContext): Command {
  return new Command('show')
    .summary('show what was said and done in a session')
    .description('Shows a session: words, calls, results, approvals, and what it waits for.')
    .argument('<session>', 'the id of the session, or its beginning')
    .option('--json', 'print one JSON object')
    .addHelpText('after', afterHelp)
    .action((id: string, { json }: { json?: true }) =>
      withStore(terminal, async (store) => {
        const shown = await shownSession(store, await findSession(store, id));
        terminal.out(json ? jsonText(shown, 2) : showText(shown, terminal, hostname()));
      }),
    );
}

async function shownSession(store: SessionStore, session: SessionRecord): Promise<ShownSession> {
  const { messages: _, ...transcript } = readTranscript(await store.read(session.id));
  const state = sessionState(transcript, await store.holder(session.id));
  const children = await store.list({ parent: session.id });
  const forks = (await store.list()).filter(({ forkOf }) => forkOf === session.id);
  return {
    ...{ session, state, ...transcript },
    children: children.toReversed().map(({ id }) => id),
    forks: forks.map(({ id }) => id),
  };
}
