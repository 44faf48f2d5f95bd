/** The agent: a role, an approval, a schema preloaded by keywords, and the events of a turn. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent';
import { startModelServer } from '@toolfold/testing';

// A scripted model replaces a real one. It calls the preloaded tool, then answers.
const server = await startModelServer({
  script: [
    { calls: [{ name: 'tracker__create_issue', arguments: { title: 'Login is slow' } }] },
    { text: 'Filed as number 7.' },
  ],
});
const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
  'claude-opus-5-5',
);

const agent = createAgent({
  model,
  roles: { support: { tools: ['mcp:tracker'], maxRounds: 3 } },
  role: 'support',
  strategy: 'native',
  groups: [
    {
      groupId: 'mcp:tracker',
      description: 'Issues of the team',
      toolNames: ['create_issue', 'list_issues'],
      loader: async () => [
        {
          name: 'create_issue',
          description: 'Files a new issue in the tracker.',
          inputSchema: {
            type: 'object',
            properties: { title: { type: 'string' } },
            required: ['title'],
          },
          execute: () => ({ number: 7 }),
        },
        { name: 'list_issues', inputSchema: { type: 'object' }, execute: () => [] },
      ],
    },
  ],
  approvals: {
    ask: async ({ name }) => {
      console.log(`(the user is asked about ${name} and approves)`);
      return { approved: true };
    },
  },
});

let isDone = false;
for await (const event of agent.send('Create an issue in the tracker: login is slow.')) {
  if (event.type === 'start') console.log(`${event.strategy}: ${event.reason}`);
  if (event.type === 'preload') console.log(`preloaded: ${event.tools.join(', ')}`);
  if (event.type === 'call') console.log(`call: ${event.name} ${JSON.stringify(event.arguments)}`);
  if (event.type === 'result') console.log(`result: ${JSON.stringify(event.output)}`);
  if (event.type === 'text') console.log(event.text);
  if (event.type === 'failure') console.log(`failed: ${event.name}: ${event.error}`);
  if (event.type === 'warning') console.log(`warning: ${event.text}`);
  if (event.type === 'end') {
    isDone = event.reason === 'done';
    console.log(`end: ${event.reason}`);
    // A turn never throws what went wrong with it, such as a key that the provider refuses.
    if (event.error) console.error(event.error.message);
  }
}
if (!isDone) process.exitCode = 1;
await server.close();
