import assert from 'node:assert/strict';
import {
  ENDPOINTS,
  type Endpoint,
  NATIVE_ENDPOINTS,
} from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { BRIDGE, DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  type Reply,
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import type { ModelMessage } from 'ai';
import type { AgentEvent } from '../src/events/events.ts';
import type { ApprovalAnswer } from '../src/events/user-requests.ts';
import type { Agent, AgentOptions } from '../src/options/options.ts';
import type { Session } from '../src/sessions.ts';
import { answeredCalls, pendingIn } from '../src/state/history.ts';
import { NO_ANSWER } from '../src/state/messages.ts';
import { createSubagents } from '../src/tasks/tool.ts';
import { assertHeld, begin, ended, type World } from './agent.test-support.ts';
import {
  assertEvents,
  assertRunsKept,
  type Effects,
  workGroup,
} from './broken-turns.test-support.ts';

/** Random numbers from a seed. The same seed gives the same talk. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** True with this probability in percent. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const KINDS = ['now', 'soon', 'later', 'throws', 'rejects', 'steps'] as const;
const SCRIPTED = new Set([400, 401, 429, 529]);
const team = createSubagents();
const hookedTeam = createSubagents({ hooks: {} });

type Strategy = 'dispatch' | 'bridge' | 'eager' | 'inject' | 'lazy' | 'native';

/** A session that keeps a talk. */
export interface KeptTalk {
  readonly session: Session;
  /** The session as another process opens it. */
  readonly open: () => Promise<Session>;
  /** Receives all events. With it, no reader leaves in the middle. */
  readonly events: AgentEvent[];
}

/** A random conversation with an agent, with many kinds of failures. */
export class RandomTalk {
  readonly #dice: Dice;
  readonly #effects: Effects = [];
  readonly #log: string[] = [];
  readonly #endpoint: Endpoint;
  readonly #strategy: Strategy;
  readonly #world: World;
  #kept: KeptTalk | undefined;
  #stop = new AbortController();
  #events: AgentEvent[] = [];
  /** The reader left in the middle, so the events then must match the messages. */
  #hasLeft = false;
  #isCalm = false;
  /** A refused conversation may lose its native form. Switching tools off and on adds notices. */
  #holds = true;
  readonly #visit: (messages: readonly ModelMessage[]) => void;

  /** `visit` is called with the messages after each operation. */
  constructor(seed: number, visit: (messages: readonly ModelMessage[]) => void = () => {}) {
    const dice = new Dice(seed);
    this.#dice = dice;
    this.#visit = visit;
    const native = dice.chance(35) ? dice.one(NATIVE_ENDPOINTS) : undefined;
    this.#endpoint = native ?? dice.one(ENDPOINTS);
    this.#strategy = native
      ? 'native'
      : dice.one(['dispatch', 'bridge', 'eager', 'inject', 'lazy'] as const);
    const ask = dice.chance(50) ? { ask: () => this.#answer() } : {};
    const isRouted = dice.chance(30);
    const hooks = dice.chance(30) ? { hooks: this.#hooks() } : {};
    const agent: Partial<AgentOptions> = {
      ...hooks,
      ...(isRouted ? { routing: dice.one(['preload', 'narrow'] as const) } : {}),
      approvals: { mode: dice.one(['never', 'always', 'always'] as const), ...ask },
      settings: { maxRetries: 0, streamRetries: dice.below(2), ...native?.settings },
      subagents: 'hooks' in hooks ? hookedTeam : team,
      // A notice of a request that fails before its answer moves; see the known limits.
      maxRounds: 50,
    };
    const onRun = () => {
      if (!this.#isCalm && dice.chance(6)) this.#stop.abort();
    };
    const group = workGroup({ effects: this.#effects, onRun });
    const fold = {
      strategy: this.#strategy,
      groups: [group],
      tools: { ...team.tools } as never,
      ...(native ? { capabilities: native.capabilities } : {}),
    };
    this.#world = { endpoint: this.#endpoint, fold, agent };
    // These, and narrowing by words, change the declared tools.
    this.#holds = !isRouted && this.#strategy !== 'inject' && this.#strategy !== 'lazy';
  }

  /** A log of the conversation, for debugging. */
  get log(): string {
    return [`${this.#endpoint.name}, ${this.#strategy}`, ...this.#log].join('\n');
  }

  /** Runs the conversation. `kept`: in this session. */
  async run(kept?: KeptTalk): Promise<void> {
    this.#kept = kept;
    await using server = await startModelServer({ script: (request) => this.#reply(request) });
    const first = kept ? { ...this.#world.agent, session: kept.session } : this.#world.agent;
    let talk = begin(server, { ...this.#world, ...(first ? { agent: first } : {}) }).talk;
    for (let times = 0; times < 5; times++) {
      talk = await this.#operate(server, talk);
      this.#check(talk);
    }
    this.#isCalm = true;
    this.#stop = new AbortController();
    const done = await this.#read(talk.send('Calm.'));
    this.#check(talk);
    assert.ok(['done', 'approval'].includes(ended(done).reason), ended(done).reason);
    if (this.#holds) assertHeld({ ...server, requests: server.requests.filter(isOfTalk) });
  }

  async #operate(server: Parameters<typeof begin>[0], talk: Agent): Promise<Agent> {
    const dice = this.#dice;
    this.#stop = new AbortController();
    const options = { signal: this.#stop.signal };
    if (dice.chance(10)) talk.send('Nobody reads this.');
    if (dice.chance(8)) {
      this.#log.push('tools off, or on');
      this.#holds = false;
      talk.setTools(dice.chance(50));
    }
    if (dice.chance(15)) {
      this.#log.push('another process');
      const session = await this.#kept?.open();
      if (session) {
        return begin(server, { ...this.#world, agent: { ...this.#world.agent, session } }).talk;
      }
      const messages: ModelMessage[] = JSON.parse(JSON.stringify(talk.messages));
      const agent = { ...this.#world.agent, messages };
      await this.#read(begin(server, { ...this.#world, agent }).talk.send('Leave.'), 0);
      return begin(server, { ...this.#world, agent }).talk;
    }
    if (talk.pending.length > 0 && dice.chance(80)) {
      const some = talk.pending.filter(() => dice.chance(85));
      const answers = some.map(({ approvalId }) => [approvalId, { approved: dice.chance(70) }]);
      if (dice.chance(15)) talk.answer(Object.fromEntries(answers));
      this.#log.push(`answer ${JSON.stringify(answers)}`);
      await this.#read(talk.answer(Object.fromEntries(answers), options));
      return talk;
    }
    if (dice.chance(40)) {
      try {
        const turn = talk.resume(options);
        this.#log.push('resume');
        await this.#read(turn);
        return talk;
      } catch (error) {
        assert.match(String(error), /no turn to resume|Approvals are pending/);
      }
    }
    this.#log.push('send');
    await this.#read(talk.send(dice.one(['Go.', 'And now?', 'Do it.']), options));
    return talk;
  }

  /** Reads a turn at a random pace and may stop it. `at`: the event at which the reader leaves. */
  async #read(turn: AsyncIterable<AgentEvent>, at?: number): Promise<AgentEvent[]> {
    const dice = this.#dice;
    const slow = dice.one([0, 0, 1, 4, 9]);
    // A turn goes on while its reader is slow. Whoever leaves before the first request must be fast.
    const pace = at === undefined ? slow : 0;
    const stopAt = at ?? (this.#isCalm || dice.chance(50) ? -1 : dice.below(25));
    const way = at === undefined ? this.#wayOut() : 'leave';
    const events: AgentEvent[] = [];
    try {
      for await (const event of turn) {
        events.push(event);
        if (at === undefined) this.#events.push(event);
        this.#kept?.events.push(event);
        for (let turns = 0; turns < pace; turns++) await new Promise((done) => setImmediate(done));
        if (events.length - 1 !== stopAt) continue;
        this.#log.push(`${way} at ${stopAt} (${event.type})`);
        if (way === 'cancel') this.#stop.abort();
        else if (at === undefined && event.type !== 'end') this.#hasLeft = true;
        if (way === 'leave') break;
        if (way === 'throw') throw new Error('the reader broke');
      }
    } catch (error) {
      if (!/the reader broke/.test(String(error))) throw error;
    }
    const end = events.at(-1);
    if (end?.type === 'end') {
      this.#log.push(`end ${end.reason} ${String(end.error ?? '')}`);
      if (end.reason === 'error') assertScripted(end.error);
    }
    return events;
  }

  #wayOut(): 'cancel' | 'leave' | 'throw' {
    const way = this.#dice.one(['cancel', 'cancel', 'leave', 'throw'] as const);
    return this.#kept ? 'cancel' : way;
  }

  #check(talk: Agent): void {
    this.#visit(talk.messages);
    assertRunsKept(talk.messages, this.#effects, [
      ...pendingIn(talk.messages).map(({ id }) => id),
      ...answeredCalls(talk.messages),
    ]);
    const asked = pendingIn(talk.messages).map(({ approvalId }) => approvalId);
    for (const { approvalId } of talk.pending) assert.ok(asked.includes(approvalId), approvalId);
    if (this.#hasLeft) this.#events = eventsOf(talk.messages);
    this.#hasLeft = false;
    assertEvents(talk.messages, this.#events);
  }

  /** Hooks that delay, deny, change arguments, redact, and fail. */
  #hooks(): NonNullable<AgentOptions['hooks']> {
    const dice = this.#dice;
    return {
      beforeToolCall: async ({ name }) => {
        if (!name.startsWith('work__')) return;
        for (let turns = dice.below(3); turns > 0; turns--)
          await new Promise((done) => setImmediate(done));
        if (!this.#isCalm && dice.chance(5)) this.#stop.abort();
        if (dice.chance(15)) return { deny: 'Not now.' };
        return dice.chance(15) ? { arguments: { more: true } } : undefined;
      },
      afterToolCall: async ({ name }) => {
        if (dice.chance(5)) throw new Error('the hook broke');
        return dice.chance(20) && name.startsWith('work__') ? { output: 'redacted' } : undefined;
      },
    };
  }

  async #answer(): Promise<ApprovalAnswer> {
    const dice = this.#dice;
    if (!this.#isCalm && dice.chance(8)) {
      this.#stop.abort();
      return new Promise(() => {});
    }
    for (let turns = dice.below(4); turns > 0; turns--)
      await new Promise((done) => setImmediate(done));
    const scope = dice.one(['once', 'session'] as const);
    return { approved: this.#isCalm || dice.chance(75), scope };
  }

  #reply(request: RecordedRequest): Reply {
    const dice = this.#dice;
    if (this.#isCalm) return { text: 'Calm.' };
    const isChild = !isOfTalk(request);
    if (dice.chance(12)) {
      const status = dice.one(this.#strategy === 'native' ? [401, 429, 529] : [...SCRIPTED]);
      return { error: { status, body: 'Scripted.' } };
    }
    const calls = Array.from({ length: dice.below(4) }, () => this.#call(isChild));
    const isCut = dice.chance(12);
    return {
      ...(dice.chance(30) ? { reasoning: 'Hm, let me think.' } : {}),
      ...(dice.chance(70) || calls.length === 0
        ? { text: `Well, ${dice.below(1_000)} of them.` }
        : {}),
      ...(calls.length > 0 && !(isChild && dice.chance(60)) ? { calls } : {}),
      chunkSize: dice.one([3, 7, 50]),
      ...(isCut ? { abortAfter: 1 + dice.below(14) } : {}),
      ...(dice.chance(5) ? { finishReason: 'length' as const } : {}),
    };
  }

  #call(isChild: boolean): ReplyCall {
    const dice = this.#dice;
    const direct = ['eager', 'native', 'inject', 'lazy'].includes(this.#strategy);
    const to = (name: string, input: unknown = {}): ReplyCall => {
      if (direct || dice.chance(20)) return { name, arguments: input as object };
      return (this.#strategy === 'bridge' ? BRIDGE : DISPATCH).call(name, input);
    };
    if (isChild) return to('work__missing');
    const number = dice.below(100);
    if (number < 65) return to(`work__${dice.one(KINDS)}`);
    if (number < 75) return to(dice.one(['work__nothing', 'nobody', 'work__now ']));
    if (number < 80)
      return { name: 'deferred_tool_call', arguments: '{"tool_name": "work__now", ' };
    if (number < 85) return DISPATCH.load('work');
    if (number < 90) return { name: 'tool_search', arguments: { query: 'work' } };
    const tasks = [
      { id: 'a', task: 'Look.' },
      { id: 'b', task: 'Look there.' },
    ];
    return { name: 'subagents', arguments: { tasks: tasks.slice(0, 1 + dice.below(2)) } };
  }
}

/** The events that the messages imply. */
function eventsOf(messages: readonly ModelMessage[]): AgentEvent[] {
  return messages.flatMap(({ role, content }): AgentEvent[] => {
    if (typeof content === 'string')
      return role === 'assistant' ? [{ type: 'text', text: content }] : [];
    return content.flatMap((part): AgentEvent[] => {
      if (part.type === 'text' && role === 'assistant')
        return part.text === NO_ANSWER ? [] : [{ type: 'text', text: part.text }];
      if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: name } = part;
        return [{ type: 'call', id, name, arguments: {} }];
      }
      if (part.type !== 'tool-result') return [];
      return [{ type: 'result', id: part.toolCallId, name: part.toolName, output: null }];
    });
  });
}

/** Excludes events of children and events outside the conversation. */
function isOfTalk({ raw }: RecordedRequest): boolean {
  return !/# Your task\\n/.test(raw);
}

/** A turn may fail only with the errors of the script. */
function assertScripted(error: unknown): void {
  // A refused key has the SDK's error as its cause.
  const answered = error instanceof ToolfoldError ? error.cause : error;
  const status = (answered as { statusCode?: number } | undefined)?.statusCode;
  const text = String(error);
  const isScripted = status !== undefined && SCRIPTED.has(status) && /Scripted/.test(text);
  const isCut =
    /terminated|process successful response|No output generated|ended the answer|socket|other side closed/.test(
      text,
    );
  assert.ok(isScripted || isCut, `${status ?? ''} ${text} ${JSON.stringify(error)?.slice(0, 600)}`);
}
