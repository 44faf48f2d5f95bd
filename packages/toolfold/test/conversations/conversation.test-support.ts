import type { AgentOptions } from '@toolfold/agent/internal/options/options.ts';
import type { SessionStore } from '@toolfold/agent/internal/sessions/store.ts';
import { begin } from '@toolfold/agent/test/agent.test-support.ts';
import type { ModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { Settings } from '../../src/agents/settings.ts';
import { Conversation } from '../../src/conversations/conversation.ts';
import type { ConversationOptions } from '../../src/conversations/conversation-options.ts';

/** A talk on a scripted model, with what went wrong outside its turns. */
export function talkOn(
  server: ModelServer,
  store: SessionStore,
  { agent, ...more }: Partial<ConversationOptions> & { agent?: Partial<AgentOptions> } = {},
): { readonly talk: Conversation; readonly errors: unknown[]; readonly until: Until } {
  const errors: unknown[] = [];
  const waiting = new Set<() => void>();
  const onChange = () => {
    for (const look of waiting) look();
  };
  const settings = new Settings({
    set: { modelName: () => 'local/any', settings: {} },
    flags: {},
  });
  const talk = new Conversation({
    ...{ store, folder: '/work', settings },
    agents: {
      prepare: async () => (session) =>
        begin(server, { fold: { strategy: 'dispatch' }, agent: { ...agent, session } }).talk,
      apply: async () => {},
      events: (turn) => turn,
    },
    watch: {
      onChange,
      onError: (error) => {
        errors.push(error);
        onChange();
      },
    },
    ...more,
  });
  const until: Until = (isSo) =>
    new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { talk, errors, until };
}

/** Resolves when this is so after a change. */
export type Until = (isSo: () => boolean) => Promise<void>;

/** The messages of the user, and what came of them. */
export const said = ({ view }: Conversation): (string | undefined)[][] =>
  view.turns.map(({ user, blocks }) => [
    user,
    ...blocks.map((block) =>
      block.kind === 'call' ? `${block.name} ${block.status}` : block.text,
    ),
  ]);

/** Whether nothing runs and nothing waits. */
export const isIdle = (talk: Conversation) => (): boolean =>
  talk.state === 'idle' && talk.queue.length === 0;
