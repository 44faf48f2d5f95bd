import { join } from 'node:path';
import { type Reply, startModelServer } from '@toolfold/testing/internal/testing';
import type { LanguageModel } from 'ai';
import { importOptional } from '../../app/terminal/index.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

/** Its writes run without a question, but for the commit: that shows how approvals look. */
const SETTINGS = {
  strategy: 'dispatch',
  maxRounds: 20,
  approvals: {
    allow: ['mcp:filesystem/*', 'mcp:memory/*', 'mcp:git/git_init', 'mcp:git/git_add'],
  },
};

/** The servers and the model of `toolfold chat --demo`. */
export interface ChatDemo extends AsyncDisposable {
  readonly workplace: Workplace;
  readonly model: LanguageModel;
}

/** Characters of a piece of a streamed answer. */
const PIECE = 8;

const REST: Reply = {
  text:
    'This model follows a script, and it has done its **one task**.\n\n' +
    '- `/tools` lists the tools, `/tools commit` searches them.\n' +
    '- `/context` shows what the last request held.\n' +
    '- `/cost` shows what the conversation has used.\n' +
    '- `/fork` and `/tree` go other ways, `/help` shows the rest.',
};

/** Starts the scripted model. What the user says does not matter to it. */
export async function startChatDemo(): Promise<ChatDemo> {
  // A package that the chat needs anyway: a first try has no other.
  const name = '@ai-sdk/openai-compatible';
  const load = () => import('@ai-sdk/openai-compatible');
  // Before anything is made that would be left behind without the package.
  const { createOpenAICompatible } = await importOptional(name, 'The demo', load);
  const workplace = await createWorkplace(SETTINGS);
  const replies = scriptFor(workplace);
  let step = 0;
  const server = await startModelServer({
    script: () => ({ chunkSize: PIECE, ...(replies[step++] ?? REST) }),
  });
  const baseURL = server.baseUrl('openai-chat');
  const provider = createOpenAICompatible({ name: 'demo', baseURL, includeUsage: true });
  return {
    workplace,
    model: provider('scripted'),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await workplace[Symbol.asyncDispose]();
    },
  };
}

export const FILE = 'haiku.txt';
export const TEXT = 'Names on the map,\nmanuals stay on the shelf:\nthe prompt keeps its shape.\n';
export const MESSAGE = 'Add a haiku about folded tools';

/** The prompt of the task. */
export function taskFor(workplace: Workplace): string {
  return [
    `Make a git repository in ${workplace.repository}.`,
    `Write the file ${FILE} into it with exactly this text:\n${TEXT}`,
    `Commit it with the message "${MESSAGE}".`,
    'Remember in the knowledge graph that the repository exists and what it holds.',
    'Read the file and the graph back, and tell me what they say.',
  ].join('\n');
}

/** The answers of the scripted model, step by step. */
export function scriptFor(workplace: Workplace): Reply[] {
  const { repository } = workplace;
  const path = join(repository, FILE);
  const load = (group: string, ...names: string[]) => ({
    name: 'load_tools',
    arguments: { group_id: `mcp:${group}`, tool_names: names },
  });
  const call = (name: string, args: object) => ({
    name: 'deferred_tool_call',
    arguments: { tool_name: name, arguments: args },
  });
  const entity = {
    name: 'notes repository',
    entityType: 'git repository',
    observations: [`lives in ${repository}`, `holds ${FILE}`],
  };
  return [
    {
      text: 'I need git and the file system.',
      calls: [load('git', 'git_init', 'git_add', 'git_commit'), load('filesystem', 'write_file')],
    },
    { calls: [call('git__git_init', { path: repository, initialBranch: 'main' })] },
    { calls: [call('filesystem__write_file', { path, content: TEXT })] },
    { calls: [call('git__git_add', { path: repository, paths: [FILE] })] },
    { calls: [call('git__git_commit', { path: repository, message: MESSAGE })] },
    // This tool is called without a load, because its arguments are simple.
    { calls: [call('memory__create_entities', { entities: [entity] })] },
    {
      calls: [call('filesystem__read_text_file', { path }), call('memory__read_graph', {})],
    },
    { text: `Done: ${FILE} is committed in ${repository}, and the knowledge graph knows of it.` },
  ];
}
