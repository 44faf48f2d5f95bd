/**
 * Runs one generation in a separate process: reads `{ baseUrl, endpoint, mode, messages, approval }`
 * from standard input, writes `{ messages, runs }` to standard output.
 */
import { text } from 'node:stream/consumers';
import type { ToolSet } from 'ai';
import { Conversation } from './conversation.test-support.ts';
import { ENDPOINTS, NATIVE_ENDPOINTS } from './endpoints.test-support.ts';
import { foldOptions, type Runs } from './folds.test-support.ts';
import { createFold, type Fold } from './index.ts';

const { baseUrl, endpoint, mode, route, messages, ui, say } = JSON.parse(await text(process.stdin));
const runs: Runs = [];
const own = NATIVE_ENDPOINTS.find(({ name }) => name === endpoint);
const found = own ?? ENDPOINTS.find(({ name }) => name === endpoint);
if (!found) throw new Error(`no endpoint ${endpoint}`);
const native = own ? { strategy: 'native' as const, capabilities: own.capabilities } : {};
const conversation = new Conversation({
  mode,
  route,
  model: found.model(baseUrl),
  fold: () => createFold({ ...foldOptions(runs), ...native }) as unknown as Fold<ToolSet>,
  settings: { ...own?.settings, toolApproval: { github__create_issue: 'user-approval' } },
});
conversation.messages = messages;
conversation.ui = ui;
if (typeof say === 'string') await conversation.say(say);
else await conversation.answer(() => say);
process.stdout.write(
  JSON.stringify({ messages: conversation.messages, ui: conversation.ui, runs }),
);
