/** Subagents: one task is split into three that run at once, with a role and a common budget. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent';
import { type Reply, startModelServer } from '@toolfold/testing';

const services = ['billing', 'search', 'login'];

// A scripted model replaces a real one. It splits the work, does each part, and summarises.
const split: Reply = {
  calls: [
    {
      name: 'subagents',
      arguments: {
        tasks: services.map((id) => ({ id, task: `How is ${id} doing?`, role: 'watcher' })),
        shared_context: 'Errors above 1 % are a problem.',
      },
    },
  ],
};
const read = (service: string): Reply => ({
  calls: [
    {
      name: 'deferred_tool_call',
      arguments: { tool_name: 'monitor__error_rate', arguments: { service } },
    },
  ],
});
const server = await startModelServer({
  script: ({ raw, body }) => {
    const isFirst = !(body.messages as { role: string }[]).some(({ role }) => role === 'assistant');
    const service = /How is (\w+) doing\?\\n/.exec(raw)?.[1];
    if (service === undefined) return isFirst ? split : { text: 'Only search has a problem.' };
    if (isFirst) return read(service);
    const rate = /\\"rate\\":([\d.]+)/.exec(raw)?.[1];
    return { text: JSON.stringify({ summary: `${service}: ${rate} % errors`, findings: [] }) };
  },
});
const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
  'claude-opus-5-5',
);

const agent = createAgent({
  model,
  roles: { watcher: { tools: ['mcp:monitor/error_rate'] } },
  subagents: { roles: ['watcher'], budget: { tokens: 100_000 } },
  approvals: { mode: 'never' },
  strategy: 'dispatch',
  groups: [
    {
      groupId: 'mcp:monitor',
      description: 'How services are doing',
      toolNames: ['error_rate', 'restart'],
      loader: async () => [
        {
          name: 'error_rate',
          inputSchema: { type: 'object', properties: { service: { type: 'string' } } },
          execute: (input: unknown) => ({
            rate: (input as { service: string }).service === 'search' ? 2.4 : 0.1,
          }),
        },
        { name: 'restart', inputSchema: { type: 'object' }, execute: () => 'restarted' },
      ],
    },
  ],
});

const ended: string[] = [];
for await (const event of agent.send('How are our services?')) {
  if (event.type === 'subagent' && event.event.type === 'call')
    console.log(`[${event.task}] ${event.event.name}`);
  if (event.type === 'subagent-end') {
    console.log(`[${event.task}] ${event.status}`);
    ended.push(event.status);
  }
  if (event.type === 'result' && event.name === 'subagents')
    console.log(JSON.stringify(event.output, undefined, 2));
  if (event.type === 'text') console.log(event.text);
  // A turn never throws what went wrong with it, such as a key that the provider refuses.
  if (event.type === 'end' && event.error) console.error(event.error.message);
}
const { own, subagents: theirs } = agent.spending;
console.log(`The agent sent ${own.requests} requests, its subagents sent ${theirs.requests}.`);
if (ended.join() !== 'done,done,done') process.exit(1);
await server.close();
