import { VERSION } from '@toolfold/core/internal/version.ts';
import type { Chat } from './open-chat.ts';

/** Most models of a server that are named. */
const SHOWN = 5;

/** The ways to a model. */
const modelWays: readonly string[] = [
  'No model is chosen, so nothing can be asked. There are three ways:',
  '  /model shows the models of this computer and the known providers, and keeps what you choose',
  '  a key in the environment, such as ANTHROPIC_API_KEY, with --model anthropic/claude-sonnet-4-5 or TOOLFOLD_MODEL',
  '  another server: --model local/qwen3 --base-url http://127.0.0.1:9000/v1',
];

/** The ways to servers. */
export const serverWays: readonly string[] = [
  'No MCP servers are configured, so the model has no tools. There are three ways:',
  '  the file of another client, such as .mcp.json: it is used where it is found, after your yes',
  '  a file: --config mcp.json',
  '  toolfold init: it writes toolfold.json from what your clients have',
];

/** What the demo is, and what to type. */
const demo: readonly string[] = [
  'This is a demo: six MCP servers work in a temporary folder, and the model follows a script. Nothing is sent or kept.',
  'Type any message and press Enter. It makes a git repository with a haiku, and asks before the commit.',
];

/** What a chat without a model says of models on this computer. Empty if there are none, or a model is chosen. */
export async function foundLines({ setUp, modelName }: Chat): Promise<readonly string[]> {
  const found = modelName === undefined ? await setUp.directory.search() : [];
  if (found.length === 0) return [];
  return [
    'On this computer there are models. Nothing was sent to them. /model chooses one and keeps the choice:',
    ...found.map(({ provider, address, models }) => {
      const more = models.length > SHOWN ? `, and ${models.length - SHOWN} more` : '';
      const names = models.slice(0, SHOWN).map((id) => `${provider}/${id}`);
      return `  ${names.join(', ')}${more} (${address})`;
    }),
  ];
}

/** What a new chat says first. */
export function greeting({ setUp, modelName, pool, isKept }: Chat): readonly string[] {
  const ways = [
    ...(isKept ? [] : ['', ...demo]),
    ...(setUp.config && pool.servers.length > 0 ? [] : ['', ...serverWays]),
    ...(modelName === undefined ? ['', ...modelWays] : []),
  ];
  return [`toolfold ${VERSION}. /help shows commands and keys, Ctrl-D ends the chat.`, ...ways];
}
