/** The layer without an SDK: two roles, a load, and a conversation that resumes from its messages. */
import { createToolLayer, type DeferredToolGroup, type TranscriptMessage } from '@toolfold/core';

const string = { type: 'string' };
const group: DeferredToolGroup = {
  groupId: 'mcp:tracker',
  displayName: 'Tracker',
  toolNames: ['create_issue', 'delete_issue'],
  loader: async () => [
    {
      name: 'create_issue',
      inputSchema: { type: 'object', properties: { title: string }, required: ['title'] },
    },
    {
      name: 'delete_issue',
      inputSchema: { type: 'object', properties: { id: string }, required: ['id'] },
    },
  ],
};
const create = () =>
  createToolLayer({
    groups: [group],
    strategy: 'dispatch',
    roles: { writer: { tools: ['tracker__create_*'] }, admin: {} },
  });

const session = create().session({ role: 'writer' });
const messages: TranscriptMessage[] = [{ role: 'user' }];
const first = session.present(messages);
console.log(first.system.split('\n').slice(-2).join('\n'));

const call = { id: '1', name: 'load_tools', input: { group_id: 'mcp:tracker' } };
const loaded = await session.route(call);
if (loaded.kind !== 'answer') throw new Error('A load must be answered without running a tool.');
messages.push({ role: 'assistant', calls: [call], notes: first.note ? [first.note] : [] });
messages.push({
  role: 'tool',
  results: [{ id: '1', output: loaded.result, isError: loaded.isError }],
});

const second = session.present(messages);
const denied = await session.route({
  id: '2',
  name: 'deferred_tool_call',
  input: { tool_name: 'delete_issue', arguments: { id: '7' } },
});
if (denied.kind !== 'answer' || denied.result.error !== 'unknown_tool')
  throw new Error('A writer must not delete.');
console.log(`A writer calls delete_issue: ${String(denied.result.message)}`);

// In another process, the messages alone reproduce the same bytes.
const resumed = create().session({ role: 'writer' }).present(messages);
const same =
  JSON.stringify([resumed.system, resumed.tools]) === JSON.stringify([second.system, second.tools]);
console.log(`Resumed from the messages alone, with the same bytes: ${same}`);
if (!same) throw new Error('The resumed session sends other bytes.');
