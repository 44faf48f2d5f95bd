import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolUIPart, UIMessage } from 'ai';
import { type BridgePartType, type BridgeUITools, isBridgePart } from './ui-parts.ts';

test('parts of bridge tools are told from others, under usual and other names', () => {
  const is = (type: string, toolName?: string, names?: readonly string[]) =>
    isBridgePart(toolName === undefined ? { type } : ({ type, toolName } as never), names);
  for (const name of ['load_tools', 'tool_search', 'tool_describe', 'search_listed_tools'])
    assert.deepEqual([is(`tool-${name}`), is('dynamic-tool', name), is(name)], [true, true, false]);
  for (const type of ['text', 'step-start', 'tool-find', 'tool-constructor', 'data-load_tools'])
    assert.equal(is(type), false);
  assert.equal(is('dynamic-tool', 'find'), false);
  assert.equal(is('tool-show', undefined, ['show']), true);
  assert.equal(is('tool-load_tools', undefined, ['show']), false);
});

test('a part is narrowed to the types of bridge tools, and what is left has none of them', () => {
  type Find = { readonly find: { readonly input: { id: string }; readonly output: string } };
  type Part = UIMessage<unknown, Record<never, never>, Find & BridgeUITools>['parts'][number];
  const shown = (part: Part): string => {
    if (isBridgePart(part)) {
      const type: BridgePartType = part.type;
      return type;
    }
    const left: Exclude<Part, ToolUIPart<BridgeUITools>> = part;
    return left.type === 'tool-find' ? `${left.input?.id}` : '';
  };
  const input = { id: 'a' };
  const state = 'input-available';
  assert.equal(shown({ type: 'tool-find', toolCallId: '1', state, input }), 'a');
  assert.equal(
    shown({ type: 'tool-load_tools', toolCallId: '1', state, input }),
    'tool-load_tools',
  );
});
