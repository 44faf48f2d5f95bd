import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Agent, type AgentToolOptions, createAgent, type StampedEvent } from '@toolfold/agent';
import type { Session } from '@toolfold/agent/sessions';
import type { ModelServer, RecordedRequest, Reply, WireProvider } from '@toolfold/testing';
import { workGroup } from './tools.ts';

/** What a scenario's tools know of the process they run in. */
export interface World {
  /** Each run of a tool, in order: `name:n`. */
  readonly ran: string[];
  /** Whether the scenario is played. When its session is continued, no tool hangs. */
  readonly isPlayed: boolean;
  /** Called by tools that hang, when they have begun. */
  readonly onHang: () => void;
}

/** What a scenario plays with. */
export interface Stage {
  readonly talk: Agent;
  readonly session: Session;
  /** Another agent on the session, as another process opens it. */
  readonly reopen: (changes?: Partial<AgentToolOptions>) => Promise<Agent>;
  /** A model of the scenario's endpoint with another name. */
  readonly model: (id: string) => LanguageModelV4;
  /** Reads a turn to its end. */
  readonly read: (turn: AsyncIterable<StampedEvent>) => Promise<readonly StampedEvent[]>;
  /** Resolves when a tool hangs. */
  readonly hanging: Promise<void>;
  /** Frees the session from a process that does nothing any more. */
  readonly free: () => Promise<void>;
}

/** One recorded conversation. */
export interface Scenario {
  /** The name of its files. */
  readonly name: string;
  /** `anthropic` if left out. */
  readonly format?: FormatName;
  readonly modelId?: string;
  /** The group `work` has tools that break or hang. */
  readonly hasOddTools?: true;
  /** What differs from the usual options. The same for whoever continues the session. */
  readonly options?: (world: World) => Partial<AgentToolOptions>;
  readonly script: readonly Reply[] | ((request: RecordedRequest) => Reply);
  /** The first replies when the session is continued. Then the model says `Fine.`. */
  readonly next?: readonly Reply[];
  /** Streams of Anthropic's API that come before the replies of the script. */
  readonly streams?: readonly string[];
  /** `send('Go.')`, read to its end, if left out. Returns the session to keep, if it is another one. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most scenarios return nothing.
  readonly play?: (stage: Stage) => Promise<Session | void>;
}

type FormatName = 'anthropic' | 'responses' | 'chat' | 'compatible';

interface Format {
  readonly provider: WireProvider;
  readonly modelId: string;
  readonly model: (baseURL: string, id: string, fetch: typeof globalThis.fetch) => LanguageModelV4;
}

const apiKey = 'test';

/** The wire formats, each on the provider that users have. */
const FORMATS: Readonly<Record<FormatName, Format>> = {
  anthropic: {
    provider: 'anthropic',
    modelId: 'claude-sonnet-4-5',
    model: (baseURL, id, fetch) => createAnthropic({ baseURL, apiKey, fetch })(id),
  },
  responses: {
    provider: 'openai-responses',
    modelId: 'gpt-4.1',
    model: (baseURL, id) => createOpenAI({ baseURL, apiKey }).responses(id),
  },
  chat: {
    provider: 'openai-chat',
    modelId: 'gpt-4.1',
    model: (baseURL, id) => createOpenAI({ baseURL, apiKey }).chat(id),
  },
  compatible: {
    provider: 'openai-chat',
    modelId: 'local-model',
    model: (baseURL, id) => createOpenAICompatible({ name: 'local', baseURL, apiKey })(id),
  },
};

/** A model of the scenario's endpoint on a scripted server. */
export function modelOf(
  scenario: Scenario,
  { server, world }: Pick<Place, 'server' | 'world'>,
  id?: string,
): LanguageModelV4 {
  const { provider, modelId, model } = FORMATS[scenario.format ?? 'anthropic'];
  const streams = world.isPlayed ? [...(scenario.streams ?? [])] : [];
  const fetch: typeof globalThis.fetch = async (...request) => {
    const stream = streams.shift();
    if (stream === undefined) return globalThis.fetch(...request);
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  return model(server.baseUrl(provider), id ?? scenario.modelId ?? modelId, fetch);
}

/** Where an agent works. */
interface Place {
  readonly server: ModelServer;
  readonly session: Session;
  readonly world: World;
}

/** The agent of a scenario on a session, as each process creates it. */
export function agentOf(
  scenario: Scenario,
  place: Place,
  changes: Partial<AgentToolOptions> = {},
): Agent {
  return createAgent({
    model: modelOf(scenario, place),
    instructions: 'Be brief.',
    strategy: 'dispatch',
    groups: [workGroup(place.world, scenario)],
    routing: 'off',
    maxRounds: 20,
    approvals: { mode: 'never' },
    settings: { maxRetries: 0 },
    onWarning: () => {},
    ...scenario.options?.(place.world),
    session: place.session,
    ...changes,
  });
}
