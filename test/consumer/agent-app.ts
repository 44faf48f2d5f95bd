/** An agent, beside what `bridge-app.ts` has. `test/packing.test.ts` compiles and runs it with the same AI SDKs. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createAgent } from '@toolfold/agent';
import { startModelServer } from '@toolfold/testing';

const server = await startModelServer({ script: [{ text: 'Hello.' }] });
const baseURL = server.baseUrl('openai-chat');
const model = createOpenAICompatible({ name: 'local', baseURL })('scripted');
for await (const event of createAgent({ model, settings: { maxRetries: 0 } }).send('Hi.'))
  if (event.type === 'end') console.log('agent', event.reason);
await server.close();
