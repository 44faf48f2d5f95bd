/**
 * An app that calls a deferred tool through a bridge, after the user approved the call. `test/packing.test.ts`
 * compiles and runs it with the oldest and the newest AI SDK, so it uses nothing newer than the oldest.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createFold } from '@toolfold/ai-sdk';
import { startModelServer } from '@toolfold/testing';
import { isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { z } from 'zod';

const find_customer = tool({
  description: 'Finds a customer by name.',
  inputSchema: z.object({ name: z.string() }),
  needsApproval: true,
  execute: async ({ name }) => ({ name, since: 1843 }),
});
const called = { tool_name: 'find_customer', arguments: { name: 'Ada' } };
const server = await startModelServer({
  script: [
    { calls: [{ name: 'load_tools', arguments: { group_id: 'app' } }] },
    { calls: [{ name: 'deferred_tool_call', arguments: called }] },
    { text: 'Since 1843.' },
  ],
});
const baseURL = server.baseUrl('openai-chat');
const model = createOpenAICompatible({ name: 'local', baseURL })('scripted');
const fold = createFold({ tools: { find_customer }, strategy: 'dispatch' });
const messages: ModelMessage[] = [{ role: 'user', content: 'How long has Ada been with us?' }];

for (let turn = 0; turn < 2; turn++) {
  const result = streamText({ ...fold.with(model), messages, stopWhen: isStepCount(3) });
  for await (const part of result.stream) {
    if (part.type === 'tool-result' && part.toolName === 'find_customer')
      console.log('result', part.output);
    if (part.type === 'error') throw part.error;
    if (part.type !== 'tool-approval-request') continue;
    const { approvalId, toolCall } = part;
    console.log('approve', toolCall.toolName, toolCall.input);
    const approval = { type: 'tool-approval-response', approvalId, approved: true } as const;
    const { messages: said } = await result.response;
    messages.push(...said, { role: 'tool', content: [approval] });
  }
  console.log('text', await result.text);
}
await server.close();
