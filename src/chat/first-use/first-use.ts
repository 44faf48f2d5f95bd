import { VERSION } from '../../version.ts';
import type { ChatHost } from '../host/index.ts';

/** The ways to a model. */
export const modelWays: readonly string[] = [
  'No model is chosen, so nothing can be asked. There are three ways:',
  '  a key in the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY, with --model anthropic/claude-sonnet-4-5',
  '  a name: --model provider/name, the variable TOOLFOLD_MODEL, or /model provider/name here',
  '  a local server: --model local/qwen3 --base-url http://127.0.0.1:11434/v1',
];

/** The ways to servers. */
export const serverWays: readonly string[] = [
  'No MCP servers are configured, so the model has no tools. There are three ways:',
  '  the file of another client, such as .mcp.json: it is used where it is found',
  '  a file: --config mcp.json',
  '  toolfold init: it writes toolfold.json from what your clients have',
];

/** What the demo is, and what to type. */
const demo: readonly string[] = [
  'This is a demo: six MCP servers work in a temporary folder, and the model follows a script. Nothing is sent or kept.',
  'Type any message and press Enter. It makes a git repository with a haiku, and asks before the commit.',
];

/** What a new chat says first. */
export function greeting({ setUp, modelName, pool, isKept }: ChatHost): readonly string[] {
  const ways = [
    ...(isKept ? [] : ['', ...demo]),
    ...(setUp.config && pool.servers.length > 0 ? [] : ['', ...serverWays]),
    ...(modelName === undefined ? ['', ...modelWays] : []),
  ];
  return [`toolfold ${VERSION}. /help shows commands and keys, Ctrl-D ends the chat.`, ...ways];
}
