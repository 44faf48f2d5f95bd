import assert from 'node:assert/strict';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { type ModelMessage, simulateReadableStream } from 'ai';
import type { AgentEvent } from '../src/events/events.ts';
import { NO_ANSWER } from '../src/state/messages.ts';

/** Records each tool run of a test when it begins. */
export type Effects = { readonly id: string; readonly tool: string }[];

/** The behaviour of a tool in the group `work`. */
export type Kind = 'now' | 'soon' | 'later' | 'throws' | 'rejects' | 'deaf' | 'steps';

export interface WorkOptions {
  readonly effects: Effects;
  /** Called in each run after its effect. */
  readonly onRun?: () => void;
}

/** Tools of every kind. Each has its effect as soon as it runs. */
export function workGroup({ effects, onRun }: WorkOptions): SdkToolGroup {
  const kinds: Record<Kind, (signal: AbortSignal | undefined) => unknown> = {
    now: () => 'now',
    soon: async () => 'soon',
    later: async () => {
      for (let turns = 0; turns < 5; turns++) await new Promise((done) => setImmediate(done));
      return 'later';
    },
    throws: () => {
      throw new Error('it blew up');
    },
    rejects: async () => Promise.reject(new Error('it broke')),
    // Ignores the signal and ends only when the test lets it.
    deaf: () => new Promise(() => {}),
    steps: async function* () {
      yield 'half';
      await new Promise((done) => setImmediate(done));
      yield 'whole';
    },
  };
  const tools = Object.entries(kinds).map(([name, run]) => ({
    name,
    inputSchema: { type: 'object' },
    execute: (_: unknown, options: { toolCallId?: string; signal?: AbortSignal }) => {
      effects.push({ id: options.toolCallId ?? '', tool: `work__${name}` });
      onRun?.();
      return run(options.signal);
    },
  }));
  return {
    groupId: 'work',
    toolNames: tools.map(({ name }) => name),
    loader: async () => tools as never,
  };
}

/** A model that answers with these parts, one list per request. */
export function modelOf(answers: LanguageModelV4StreamPart[][]): LanguageModelV4 {
  const model: Omit<LanguageModelV4, 'doGenerate'> = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doStream: async () => ({
      stream: simulateReadableStream({ chunks: answers.shift() ?? [], chunkDelayInMs: null }),
    }),
  };
  return model as LanguageModelV4;
}

/** The results in the messages for each call, by name and id, in order. */
export function callsIn(messages: readonly ModelMessage[]): Map<string, string[]> {
  const calls = new Map<string, string[]>();
  for (const { role, content } of messages) {
    for (const part of typeof content === 'string' ? [] : content) {
      if (role === 'assistant' && part.type === 'tool-call') {
        assert.ok(!calls.has(part.toolCallId), `two calls ${part.toolCallId}`);
        calls.set(part.toolCallId, []);
      }
      if (role === 'tool' && part.type === 'tool-result') {
        const results = calls.get(part.toolCallId) ?? assert.fail(`an orphan ${part.toolCallId}`);
        results.push(JSON.stringify(part.output));
      }
    }
  }
  return calls;
}

function textIn(messages: readonly ModelMessage[]): string {
  const texts = messages.flatMap(({ role, content }) => {
    if (role !== 'assistant') return [];
    if (typeof content === 'string') return [content];
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  });
  return texts.filter((text) => text !== NO_ANSWER).join('');
}

function realCallsIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    (typeof content === 'string' ? [] : content).flatMap((part) =>
      part.type === 'tool-call' && part.toolName.startsWith('work__') ? [part.toolCallId] : [],
    ),
  );
}

/** Asserts that the messages hold each tool run with its call and one result. `waiting`: calls that may be open. */
export function assertRunsKept(
  messages: readonly ModelMessage[],
  effects: Effects,
  waiting: readonly string[] = [],
): void {
  const calls = callsIn(messages);
  for (const { id, tool } of effects)
    assert.equal(calls.get(id)?.length, 1, `${tool} ran, and its call ${id} has no result`);
  for (const [id, results] of calls) {
    if (waiting.includes(id) && results.length === 0) continue;
    assert.equal(results.length, 1, `${id} has ${results.length} results`);
    const hasRun = effects.some((run) => run.id === id);
    assert.ok(
      !hasRun || !/The call was not run/.test(results[0] ?? ''),
      `${id} ran: ${results[0]}`,
    );
  }
}

/**
 * What was told is in the messages or was withdrawn, and what is in the messages was told: texts, calls
 * and what they came to, each exactly once. `events`: of all turns so far.
 */
export function assertEvents(
  messages: readonly ModelMessage[],
  events: readonly AgentEvent[],
): void {
  const calls = new Map<string, { name: string; outcomes: number }>();
  let text = '';
  for (const event of events) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'call') {
      assert.ok(!calls.has(event.id), `${event.id} was emitted twice`);
      calls.set(event.id, { name: event.name, outcomes: 0 });
    }
    if (event.type === 'result' || event.type === 'failure') {
      const call = calls.get(event.id) ?? assert.fail(`an outcome of ${event.id}, never told`);
      call.outcomes++;
    }
    if (event.type === 'discarded') {
      for (const { id } of event.calls ?? [])
        assert.ok(calls.delete(id), `${id} was never emitted, but is withdrawn`);
      const said = event.text ?? '';
      assert.ok(text.endsWith(said), `never emitted: ${said}`);
      text = text.slice(0, text.length - said.length);
    }
  }
  assert.equal(text, textIn(messages));
  const kept = callsIn(messages);
  for (const id of realCallsIn(messages))
    assert.ok(calls.has(id), `${id} is kept but was not emitted`);
  for (const [id, { outcomes }] of calls) {
    assert.ok(kept.has(id), `${id} was emitted, but is neither kept nor withdrawn`);
    assert.equal(outcomes, kept.get(id)?.length, `outcomes of ${id}`);
  }
}
