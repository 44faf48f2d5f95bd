/** A deferred tool with `generateText`, as in the README. The model is a script. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createFold } from '@toolfold/ai-sdk';
import { auditPrefix, startModelServer } from '@toolfold/testing';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const server = await startModelServer({
  script: [
    { calls: [{ name: 'load_tools', arguments: { group_id: 'crm' } }] },
    {
      calls: [
        {
          name: 'deferred_tool_call',
          arguments: { tool_name: 'crm__find_customer', arguments: { email: 'ada@example.com' } },
        },
      ],
    },
    { text: 'Ada has been a customer since 1843.' },
  ],
});
const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });

const findCustomer = tool({
  description: 'Look up a customer by e-mail address.',
  inputSchema: z.object({ email: z.email() }),
  execute: async ({ email }) => ({ email, since: 1843 }),
});
const fold = createFold({
  tools: {
    now: tool({
      description: 'The time.',
      inputSchema: z.object({}),
      execute: async () => new Date().toISOString(),
    }),
  },
  groups: [
    {
      groupId: 'crm',
      description: 'Customers and their history',
      toolNames: ['find_customer'],
      loader: async () => ({ find_customer: findCustomer }),
    },
  ],
  strategy: 'dispatch',
});

const result = await generateText({
  ...fold.with(provider('claude-sonnet-4-5')),
  prompt: 'How long has ada@example.com been with us?',
  stopWhen: isStepCount(5),
});

const called = result.steps.flatMap((step) => step.toolCalls.map((call) => call.toolName));
console.log(called.join(' → '));
console.log(result.text);
if (called.join() !== 'load_tools,crm__find_customer')
  throw new Error('The calls are not the expected ones.');
if (!auditPrefix(server.requests).held) throw new Error('The prefix broke.');
await server.close();
