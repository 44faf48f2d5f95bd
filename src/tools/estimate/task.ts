import { ToolfoldError } from '../../errors.ts';
import type { RouteOptions, Turn } from '../calls/index.ts';
import {
  callTokens,
  envelopeTokens,
  type Growth,
  growthOf,
  type Load,
  loadCalls,
  type Means,
  type Task,
} from '../cost/index.ts';
import type { Session } from '../session/index.ts';
import { countRequest } from '../tokens/index.ts';
import type { Entry, TokenCounter } from '../tool/index.ts';
import type { TranscriptCall, TranscriptMessage } from '../transcript/index.ts';

/**
 * What each request of a task adds under the session's strategy: its loads are really asked for and
 * answered. Throws `invalid-option` for a load of what cannot be loaded.
 */
export async function taskGrowth(
  session: Session,
  task: Task,
  countTokens: TokenCounter,
  options: RouteOptions,
): Promise<Growth[]> {
  const messages: TranscriptMessage[] = [];
  const sizes: (Growth | undefined)[] = [];
  for (const { calls = [], loads = [] } of task.requests) {
    messages.push(...asMessages(calls, messages.length));
    for (const load of loads)
      sizes.push(await loadGrowth(session, load, messages, countTokens, options));
  }
  const turn = session.turn([]);
  const declared = declaredBy(turn);
  return growthOf(task, sizes, (name) =>
    declared.has(entryOf(turn, name).name) ? 0 : envelopeTokens(meansOf(turn), name, countTokens),
  );
}

/** Calls that went well: answers tell how many loads came in a row. */
function asMessages(names: readonly string[], position: number): TranscriptMessage[] {
  if (names.length === 0) return [{ role: 'user' }];
  const calls = names.map((name, index) => ({ id: `${position} ${index}`, name, input: {} }));
  const results = calls.map(({ id }) => ({ id, output: {}, isError: false }));
  return [
    { role: 'assistant', calls },
    { role: 'tool', results },
  ];
}

/** Takes one load through the session, and adds it to the messages. */
async function loadGrowth(
  session: Session,
  load: Load,
  messages: TranscriptMessage[],
  countTokens: TokenCounter,
  options: RouteOptions,
): Promise<Growth | undefined> {
  const turn = session.turn(messages);
  const calls = callsFor(turn, load).map(
    (call, index): TranscriptCall => ({ id: `${messages.length} ${index}`, ...call }),
  );
  if (calls.length === 0) return;
  const results = await Promise.all(
    calls.map(async ({ id, name, input }) => {
      const route = await turn.decide({ id, name, input }, options);
      if (route.kind === 'answer' && !route.isError)
        return { id, output: route.result, isError: false };
      throw new ToolfoldError(
        'invalid-option',
        `A load of the task cannot be made: ${load.tools.join(', ')}.`,
        `${name} answered ${JSON.stringify(route.kind === 'answer' ? route.result : name)}.`,
      );
    }),
  );
  messages.push({ role: 'assistant', calls }, { role: 'tool', results });
  await session.prepare(messages, options);
  const after = session.turn(messages);
  const { deliveries } = after.presentation;
  const frames = calls.reduce((sum, { id, name, input }, index) => {
    const appended = deliveries.find(({ callId }) => callId === id)?.result;
    const result = appended ?? results[index]?.output;
    return (
      sum + callTokens(name, input as never, countTokens) + countTokens(JSON.stringify(result))
    );
  }, 0);
  const [before, now] = [sizeOf(turn, countTokens), sizeOf(after, countTokens)];
  return {
    messages: frames + now.appended - before.appended,
    tools: now.declared - before.declared,
  };
}

/** A search that brings schemas costs about what asking for them by name does. */
function callsFor(turn: Turn, { tools }: Load) {
  const declared = declaredBy(turn);
  const entries = tools.map((name) => entryOf(turn, name));
  const wanted = entries.filter(({ name }) => !declared.has(name));
  return wanted.length === 0 ? [] : loadCalls(meansOf(turn), wanted);
}

function entryOf(turn: Turn, name: string): Entry {
  const entry = turn.lookUp(name);
  if (entry) return entry;
  throw new ToolfoldError(
    'invalid-option',
    `The task names a tool that there is not: ${name}.`,
    'Name tools as the model would call them, such as github__create_issue.',
  );
}

function declaredBy({ presentation }: Turn): Set<string> {
  return new Set(presentation.tools.map(({ name }) => name));
}

/** The bridge tools of a turn. */
export function meansOf(turn: Turn): Means {
  const { strategy, bridges } = turn.epoch;
  return { strategy, bridges, kindOf: (name) => turn.bridgeKind(name) };
}

/** Tokens of what a turn declares and shows from the start, and of what it appends. */
export function sizeOf(
  { presentation }: Turn,
  countTokens: TokenCounter,
): { declared: number; appended: number } {
  const { total, loaded } = countRequest(presentation, () => 'inline', countTokens);
  return { declared: total - loaded, appended: loaded };
}
