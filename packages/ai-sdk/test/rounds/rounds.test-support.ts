import { strategies } from '@toolfold/core/internal/tool/strategies.ts';
import type { CallEvent } from '@toolfold/core/internal/transcript/transcript.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { product, selected } from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, type LoadsIn, type WithOptions } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { dialectOf, ENDPOINTS, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';
import type { Spoken } from '../prefix/prefix.test-support.ts';
import { BRIDGE, DISPATCH, NATIVE } from '../scenarios.test-support.ts';

export const MODES: readonly Mode[] = ['generate', 'stream'];
export const ROUTES: readonly Route[] = ['live', 'json', 'ui'];
export const GITHUB = 'mcp:github';
export const CREATE = 'github__create_issue';
export const BUG = { title: 'bug' };

/** One strategy on one endpoint, and the calls of a model there. */
export interface Way {
  readonly name: string;
  readonly strategy: 'lazy' | 'inject' | 'dispatch' | 'bridge' | 'native';
  readonly endpoint: Spoken;
  readonly keepsPrefix: boolean;
  readonly loader: string;
  readonly dispatches: boolean;
  readonly load: (group: string, ...names: string[]) => ReplyCall;
  readonly call: (name: string, input: unknown) => ReplyCall;
}

/** What a strategy's model writes. `lazy` and `inject` declare loaded tools, so these are called by name. */
const DIALECTS = {
  lazy: {
    loader: 'request_tool',
    load: (group: string): ReplyCall => ({
      name: 'request_tool',
      arguments: { name: `${group.replace('mcp:', '')}__create_issue` },
    }),
    call: NATIVE.call,
  },
  inject: { loader: 'load_tools', load: DISPATCH.load, call: NATIVE.call },
  dispatch: DISPATCH,
  bridge: BRIDGE,
} as const;

/** Each strategy that defers, on every endpoint; `native` in every form. */
export const WAYS: readonly Way[] = [
  ...(['lazy', 'inject', 'dispatch', 'bridge'] as const).flatMap((strategy) =>
    ENDPOINTS.map((endpoint) => ({
      ...DIALECTS[strategy],
      name: `${strategy}, ${endpoint.name}`,
      strategy,
      endpoint,
      keepsPrefix: strategies[strategy].keepsPrefix,
      dispatches: strategy === 'dispatch' || strategy === 'bridge',
    })),
  ),
  ...NATIVE_ENDPOINTS.map((endpoint) => ({
    ...dialectOf(endpoint.form),
    name: `native, ${endpoint.form}`,
    strategy: 'native' as const,
    endpoint,
    keepsPrefix: true,
    dispatches: false,
  })),
];

/** `dispatch` on the first endpoint. */
export const DISPATCH_WAY: Way = wayOf('dispatch, anthropic');

export function wayOf(name: string): Way {
  const way = WAYS.find((one) => one.name === name);
  if (!way) throw new Error(`No way is called ${name}.`);
  return way;
}

export interface PlayOptions {
  readonly way: Way;
  readonly mode: Mode;
  readonly route: Route;
  readonly replies: readonly Reply[];
  readonly loads?: LoadsIn;
  readonly with?: WithOptions;
  /** Settings of each call of the SDK. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What a client or a store does to the messages between two turns. */
  readonly between?: (conversation: Conversation) => void;
  /** Answers the approvals after the first turn. */
  readonly answer?: (toolName: string) => { approved: boolean; reason?: string };
  /** Turns of the user. Default: two. */
  readonly turns?: readonly string[];
  readonly strict?: boolean;
}

export interface Played {
  readonly requests: readonly RecordedRequest[];
  readonly raw: readonly string[];
  readonly runs: Runs;
  readonly events: readonly CallEvent[];
  readonly conversation: Conversation;
}

/** Plays a script as an app would, with a new fold for each turn except on the live route. */
export async function play(options: PlayOptions): Promise<Played> {
  const { way, mode, route, replies, loads, answer, between, strict = true } = options;
  const { endpoint, strategy } = way;
  const runs: Runs = [];
  const events: CallEvent[] = [];
  await using server = await startModelServer({ script: replies, strict });
  const given = {
    ...foldOptions(runs),
    strategy,
    ...(endpoint.capabilities ? { capabilities: endpoint.capabilities } : {}),
    ...(loads ? { loads } : {}),
    onCall: (event: CallEvent) => events.push(event),
  };
  const conversation = new Conversation({
    mode,
    route,
    model: modelOn(server, endpoint),
    fold: () => createFold(given) as unknown as Fold<ToolSet>,
    settings: { ...endpoint.settings, ...options.settings },
    ...(options.with ? { with: options.with } : {}),
  });
  for (const [index, text] of (options.turns ?? ['Go.', 'And once more.']).entries()) {
    if (index > 0) between?.(conversation);
    await conversation.say(text);
    if (index === 0 && answer) {
      between?.(conversation);
      await conversation.answer(answer);
    }
  }
  const { requests } = server;
  return { requests, raw: requests.map(({ raw }) => raw), runs, events, conversation };
}

/** A way to run a conversation whose loads are answered in the model call or as steps. */
export interface LoadsRow {
  readonly way: Way;
  readonly mode: Mode;
  readonly route: Route;
  readonly loads: LoadsIn;
}

export const loadsRows = (ways: readonly Way[]): readonly LoadsRow[] =>
  selected(
    product({ way: ways, mode: MODES, route: ROUTES, loads: ['model-call', 'steps'] as const }),
  );
