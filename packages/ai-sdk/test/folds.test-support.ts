import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { type Tool as SdkTool, tool } from 'ai';
import { z } from 'zod';
import type { FoldOptions, SdkToolGroup } from '../src/index.ts';

/** The runs of the tools of one process, in order. */
export type Runs = { readonly tool: string; readonly input: unknown; readonly id: string }[];

const issue = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'Headline.' },
    count: { type: 'integer', minimum: 1 },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['title'],
  additionalProperties: false,
};
const nothing = { type: 'object', properties: {} };

export interface OwnTools {
  [name: string]: SdkTool;
  ask: SdkTool<{ question: string }, string>;
  deploy: SdkTool<{ target: string }, { deployed: string }>;
}

/** The app's own tools: `ask` is always declared, `deploy` is deferred if the strategy defers. */
export function ownTools(runs: Runs): OwnTools {
  return {
    ask: tool({
      description: 'Ask the user.',
      deferLoading: false,
      inputSchema: z.object({ question: z.string() }),
      execute: ({ question }, { toolCallId }) => {
        runs.push({ tool: 'ask', input: { question }, id: toolCallId });
        return `answer to ${question}`;
      },
    }),
    deploy: tool({
      description: 'Deploy.',
      inputSchema: z.object({ target: z.string() }),
      execute: ({ target }, { toolCallId }) => {
        runs.push({ tool: 'deploy', input: { target }, id: toolCallId });
        return { deployed: target };
      },
    }),
  };
}

/** Groups with two tools of the same name, a tool that throws, and a loader that fails until `ask` has run. */
export function groups(runs: Runs): SdkToolGroup[] {
  const make = (group: string, name: string, inputSchema: object): Tool => ({
    name,
    description: `${name} in ${group}.`,
    inputSchema: inputSchema as Tool['inputSchema'],
    execute: (input, options) => {
      runs.push({ tool: `${group}__${name}`, input, id: options.toolCallId ?? '' });
      if (name === 'explode') throw new Error('it blew up');
      return { done: name, input };
    },
  });
  const group = (id: string, tools: Tool[]): SdkToolGroup => ({
    groupId: `mcp:${id}`,
    description: `The ${id} server.`,
    toolNames: tools.map(({ name }) => name),
    loader: async () => tools,
  });
  const flaky = group('flaky', [make('flaky', 'wobble', nothing)]);
  return [
    group('github', [
      make('github', 'create_issue', issue),
      make('github', 'list_issues', nothing),
      make('github', 'explode', nothing),
    ]),
    group('linear', [make('linear', 'create_issue', issue), make('linear', 'toString', nothing)]),
    {
      ...flaky,
      loader: async (options) => {
        // The loader works after `ask` has run.
        if (!runs.some((run) => run.tool === 'ask')) throw new Error('the server is down');
        return flaky.loader(options);
      },
    },
  ];
}

/** Fold options with these tools and groups. Default strategy: `dispatch`. */
export function foldOptions(
  runs: Runs,
): FoldOptions<OwnTools> & { readonly groups: readonly SdkToolGroup[] } {
  return { tools: ownTools(runs), groups: groups(runs), strategy: 'dispatch' };
}
