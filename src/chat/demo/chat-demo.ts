import type { LanguageModel } from 'ai';
import { importOptional } from '../../app/terminal/index.ts';
import { type Reply, startModelServer } from '../../testing/index.ts';
import { scriptFor } from './script.ts';
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
