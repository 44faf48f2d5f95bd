import { createAnthropic } from '@ai-sdk/anthropic';
import { createFold, type FoldOptions, type SdkToolGroup } from '@toolfold/ai-sdk';
import type { ToolSet } from 'ai';
import { createAgent } from '../../src/agent/agent.ts';
import type { Agent, AgentFold, AgentOptions } from '../../src/options/options.ts';
import { createSession, openSession, type SessionStore, sqliteStore } from '../../src/sessions.ts';

export interface MailAgentOptions extends Partial<AgentOptions> {
  readonly folder: string;
  readonly baseUrl: string;
  /** Called with each letter that is sent. */
  readonly effect: (text: string) => void;
  readonly store?: SessionStore;
}

/** An agent on the session `s` of the store in a folder, with a tool that sends letters. */
export async function agentOf({
  folder,
  baseUrl,
  effect,
  store: given,
  ...options
}: MailAgentOptions): Promise<Agent> {
  const store = given ?? (await sqliteStore({ folder }));
  const send = {
    name: 'send',
    description: 'Sends a letter.',
    inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    execute: async (input: unknown) => {
      effect(JSON.stringify(input));
      return 'The letter is sent.';
    },
  };
  const group: SdkToolGroup = {
    groupId: 'mcp:mail',
    toolNames: ['send'],
    loader: async () => [send] as never,
  };
  const fold = { groups: [group], tools: {}, strategy: 'dispatch' };
  return createAgent({
    model: createAnthropic({ baseURL: baseUrl, apiKey: 'test' })('claude-opus-5-5'),
    fold: createFold(fold as FoldOptions<ToolSet>) as unknown as AgentFold,
    session: (await store.get('s'))
      ? await openSession(store, 's')
      : await createSession(store, { id: 's' }),
    routing: 'off',
    settings: { maxRetries: 0 },
    ...options,
  });
}
