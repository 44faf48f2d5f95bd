import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WireProvider } from '../wire/recorded-request.ts';
import { countBody } from './count-body.ts';

const schema = { type: 'object', properties: {} };
const length = (text: string): number => text.length;
const count = (provider: WireProvider, body: Record<string, unknown>) =>
  countBody({ provider, body }, length);

/** The number of characters of a definition in its counted form. */
const size = (name: string, description?: string): number =>
  JSON.stringify({ name, ...(description !== undefined && { description }), parameters: schema })
    .length;

const ask = { role: 'user', content: 'Go.' };
const tool = (name: string) => ({ name, input_schema: schema });
const deferred = (name: string) => ({ ...tool(name), defer_loading: true });
const byName = (name: string, type = 'tool_addition') => ({
  type,
  tool: { type: 'tool_reference', name },
});
const byValue = (definition: Record<string, unknown>) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition },
});
const found = (...names: string[]) => ({
  role: 'user',
  content: [
    {
      type: 'tool_result',
      tool_use_id: 'a',
      content: names.map((tool_name) => ({ type: 'tool_reference', tool_name })),
    },
  ],
});

describe('tokens of definitions in a conversation', () => {
  it('leaves the figure out if there are none', () => {
    assert.deepEqual(count('anthropic', { tools: [tool('load')], messages: [ask] }), {
      tools: size('load'),
      system: 0,
      messages: 3,
      total: size('load') + 3,
    });
  });

  it('counts deferred tools where they are referred to, once', () => {
    const tools = [tool('load'), deferred('one'), deferred('two'), deferred('three')];
    const messages = [
      ask,
      found('one', 'load'),
      { role: 'system', content: [{ type: 'text', text: 'New.' }, byName('two'), byName('one')] },
      { role: 'system', content: [byName('three', 'tool_removal')] },
      found('two'),
    ];
    assert.deepEqual(count('anthropic', { tools, messages }), {
      tools: size('load'),
      loaded: size('one') + size('two'),
      system: 4,
      messages: 3,
      total: size('load') + size('one') + size('two') + 7,
    });
    assert.equal(count('anthropic', { tools, messages: [ask] }).total, size('load') + 3);
  });

  it('counts what the API’s own search found', () => {
    const content = { tool_references: [{ type: 'tool_reference', tool_name: 'one' }] };
    const messages = [
      ask,
      { role: 'assistant', content: [{ type: 'tool_search_tool_result', content }] },
    ];
    assert.equal(count('anthropic', { tools: [deferred('one')], messages }).loaded, size('one'));
  });

  it('counts definitions by value, a changed one again, the same one not', () => {
    const changed = { ...tool('say'), description: 'Says it.' };
    const system = (...content: unknown[]) => ({ role: 'system', content });
    const messages = [
      ask,
      system(byValue(tool('say')), byValue({ ...tool('later'), description: 'Newer.' })),
      system(byValue(tool('say')), byName('later')),
      system(byValue(changed)),
    ];
    const { loaded, tools } = count('anthropic', { tools: [deferred('later')], messages });
    assert.equal(tools, 0);
    assert.equal(loaded, size('say') + size('later', 'Newer.') + size('say', 'Says it.'));
  });

  it('counts additional tools and outputs of searches, as often as they are sent', () => {
    const flat = (name: string) => ({ type: 'function', name, parameters: schema });
    const space = {
      type: 'namespace',
      name: 'github',
      description: 'Code.',
      tools: [flat('create_issue'), { ...flat('list'), defer_loading: true }],
    };
    const head = JSON.stringify({ name: 'github', description: 'Code.' }).length;
    const search = {
      type: 'tool_search',
      execution: 'client',
      description: 'Finds.',
      parameters: schema,
    };
    const call = { type: 'tool_search_call', call_id: 'call_1', arguments: { query: 'x' } };
    const answer = { type: 'tool_search_output', call_id: 'call_1', tools: [space, flat('say')] };
    const more = { type: 'additional_tools', role: 'developer', tools: [flat('say')] };
    const body = { tools: [search], input: [ask, call, answer, more] };
    const loaded = head + size('create_issue') + size('list') + 2 * size('say');
    const messages = 'Go.'.length + 'tool_search'.length + '{"query":"x"}'.length;
    const tools = size('tool_search', 'Finds.');
    assert.deepEqual(count('openai-responses', body), {
      tools,
      loaded,
      system: 0,
      messages,
      total: tools + loaded + messages,
    });
    // A declared namespace shows only its tools that are not deferred.
    assert.equal(count('openai-responses', { tools: [space] }).total, head + size('create_issue'));
  });

  it('counts tools in system messages of Chat Completions', () => {
    const nested = (name: string) => ({ type: 'function', function: { name, parameters: schema } });
    const messages = [ask, { role: 'system', content: '', tools: [nested('say'), nested('ask')] }];
    assert.deepEqual(count('openai-chat', { tools: [nested('load')], messages }), {
      tools: size('load'),
      loaded: size('say') + size('ask'),
      system: 0,
      messages: 3,
      total: size('load') + size('say') + size('ask') + 3,
    });
  });
});
