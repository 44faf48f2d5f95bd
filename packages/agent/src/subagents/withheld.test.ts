import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayMatchTool } from '@toolfold/core/internal/values/glob.ts';
import { WITHHELD } from './team.ts';

const isWithheld = (name: string, groupId?: string) =>
  WITHHELD.some((glob) =>
    mayMatchTool(glob, { name, bare: name.split('__').at(-1) ?? '', groupId }),
  );

test('common names of user and memory tools are withheld', () => {
  for (const name of [
    ...['ask_user', 'askUser', 'AskUserQuestion', 'ask-user', 'ask_followup_question', 'ask_human'],
    ...['request_user_input', 'requestUserInput', 'message_user', 'notify_user', 'NotifyUser'],
    ...['send_message_to_user', 'sendMessageToUser', 'reply', 'reply_to_thread', 'send_reply'],
    ...['memory', 'memory_search', 'memoryStore', 'Memory', 'remember', 'recall', 'recall_facts'],
    ...['save_memory', 'add_memories', 'storeMemory', 'search_memory', 'update_memory'],
  ])
    assert.ok(isWithheld(name), name);
  for (const server of ['mcp:memory', 'mcp:mem0', 'mcp:basic-memory'])
    assert.ok(isWithheld('x__anything', server), server);
});

test('similar names and tools of other servers are not withheld', () => {
  for (const name of [
    ...['list_tasks', 'task_users', 'mask_user_data', 'search', 'get_user', 'send_message', 'ask'],
    ...['process_memory', 'users', 'list_replies', 'autoreply', 'question_answering'],
  ])
    assert.ok(!isWithheld(name), name);
  for (const tool of ['ops__memory', 'ops__get_memory', 'chat__reply', 'helpdesk__ask_user'])
    assert.ok(!isWithheld(tool, `mcp:${tool.split('__')[0]}`), tool);
});
