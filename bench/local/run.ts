/** Runs one task in one way through the AI SDK. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createFold } from '@toolfold/ai-sdk';
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ToolSet,
  tool,
  toolSearch,
} from 'ai';
import { type Spent, startEndpoint } from './endpoint.ts';
import type { Engine } from './engine.ts';
import { patientFetch } from './patient-fetch.ts';
import type { Server } from './servers.ts';
import { type Goal, wordsOf } from './task.ts';
import { nameOf, repliesOf, type Way } from './ways.ts';

/** The figures of each request of the task, or the size of the request that does not fit. */
export type Outcome = { readonly spent: readonly Spent[] } | { readonly tooLong: number };

export async function runTask(
  engine: Engine,
  way: Way,
  servers: readonly Server[],
  goals: readonly Goal[],
): Promise<Outcome> {
  const { server, spent, refused } = await startEndpoint(engine, repliesOf(way, goals));
  await using _ = server;
  const model = localModel(server.baseUrl('openai-chat'));
  const fields =
    way === 'toolSearch()'
      ? { model, tools: searchableTools(servers) }
      : createFold({ groups: servers.map(({ group }) => group), strategy: way }).with(model);
  try {
    const { steps } = await generateText({
      ...fields,
      system: 'You answer for the release desk. Be brief, and name your sources.',
      prompt: wordsOf(goals),
      stopWhen: isStepCount(30),
      maxRetries: 0,
    } as Parameters<typeof generateText>[0]);
    check(way, steps, goals);
  } catch (error) {
    const tooLong = refused();
    if (tooLong === undefined) throw error;
    return { tooLong };
  }
  return { spent };
}

/** A model without a known price. */
export function localModel(baseURL: string): Exclude<LanguageModel, string> {
  return createOpenAICompatible({ name: 'local', baseURL, fetch: patientFetch })(
    'smollm2-135m-instruct',
  );
}

function searchableTools(servers: readonly Server[]): ToolSet {
  const entries = servers.flatMap(({ name, tools }) =>
    tools.map((item) => [
      nameOf({ server: name, tool: item.name }),
      tool({
        description: item.description ?? '',
        inputSchema: jsonSchema(item.inputSchema),
        execute: async (input: unknown) => item.execute?.(input, {}),
        deferLoading: true,
      }),
    ]),
  );
  return { find_tools: toolSearch({ maxResults: 3 }), ...Object.fromEntries(entries) };
}

/** Throws if the task was not done: its figures would be meaningless. */
function check(
  way: Way,
  steps: readonly { readonly content: readonly unknown[] }[],
  goals: readonly Goal[],
) {
  const parts = steps.flatMap(({ content }) => content) as {
    readonly type: string;
    readonly toolName?: string;
    readonly error?: unknown;
  }[];
  const failed = parts.find(({ type }) => type === 'tool-error');
  if (failed) throw new Error(`${way}: ${failed.toolName} failed.`, { cause: failed.error });
  for (const goal of goals) {
    const isDone = parts.some(
      ({ type, toolName }) => type === 'tool-result' && toolName === nameOf(goal),
    );
    if (!isDone) throw new Error(`${way}: ${nameOf(goal)} was not called.`);
  }
}
