/**
 * Runs generations in a separate process, one after another. Reads `{ baseUrl, endpoint, mode, route,
 * messages, ui, say }` from each line of standard input and writes `{ messages, ui, runs }` as a line
 * of standard output.
 */
import { createInterface } from 'node:readline';
import type { ToolSet } from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { Conversation } from '../conversation.test-support.ts';
import { ENDPOINTS, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, type Runs } from '../folds.test-support.ts';

async function generate(line: string): Promise<object> {
  const { baseUrl, endpoint, mode, route, messages, ui, say } = JSON.parse(line);
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
  return { messages: conversation.messages, ui: conversation.ui, runs };
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await generate(line))}\n`);
