import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

const schema = { type: 'object', properties: {} };
const say = { name: 'say', input_schema: schema };
const ask = { role: 'user', content: 'Go.' };
const use = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'say', input: {} })),
});
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const text = (value: string) => ({ type: 'text', text: value });

const ANTHROPIC: readonly RefusalCase[] = [
  [
    'a whole exchange',
    {
      tools: [say, { name: 'n'.repeat(128), input_schema: schema }],
      system: [text('Be brief.')],
      messages: [
        ask,
        use('toolu_1', 'toolu_2'),
        { role: 'user', content: [result('toolu_2'), result('toolu_1'), text('Go on.')] },
        { role: 'system', content: [text('A notice.')] },
      ],
    },
    'accepted',
  ],
  ['a name with a dot', { tools: [{ ...say, name: 'a.b' }] }, /String should match pattern/],
  ['a name too long', { tools: [{ ...say, name: 'n'.repeat(129) }] }, /String should match/],
  ['a name twice', { tools: [say, say] }, /Tool names must be unique/],
  ['a schema of no type', { tools: [{ name: 'say', input_schema: {} }] }, /input_schema\.type/],
  [
    'a forced tool that is not declared',
    { tools: [say], tool_choice: { type: 'tool', name: 'other' } },
    /'other' not found/,
  ],
  ['a call without a result', { messages: [ask, use('a'), ask] }, /without `tool_result`.*: a\./],
  ['a call at the end', { messages: [ask, use('a')] }, /messages\.1: .*without `tool_result`/],
  [
    'one of two calls without a result',
    { messages: [ask, use('a', 'b'), { role: 'user', content: [result('a')] }] },
    /immediately after: b\./,
  ],
  [
    'text before the result',
    { messages: [ask, use('a'), { role: 'user', content: [text('So.'), result('a')] }] },
    /without `tool_result`/,
  ],
  [
    'a result one message late',
    { messages: [ask, use('a'), ask, { role: 'user', content: [result('a')] }] },
    /without `tool_result`/,
  ],
  [
    'a result of no call',
    { messages: [{ role: 'user', content: [result('zz')] }] },
    /unexpected `tool_use_id`.*zz/,
  ],
  [
    'two results of one call',
    { messages: [ask, use('a'), { role: 'user', content: [result('a'), result('a')] }] },
    /single result.*: a/,
  ],
  [
    'one id for two calls',
    {
      messages: [
        ask,
        use('a'),
        { role: 'user', content: [result('a')] },
        use('a'),
        { role: 'user', content: [result('a')] },
      ],
    },
    /ids must be unique/,
  ],
  ['empty text', { messages: [{ role: 'user', content: [text('')] }] }, /must be non-empty/],
  ['empty system text', { system: [text('')], messages: [ask] }, /system: .*non-empty/],
  ['an empty message', { messages: [{ role: 'user', content: [] }] }, /non-empty content/],
  [
    'input that is no object',
    {
      messages: [
        ask,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'say', input: '{}' }],
        },
        { role: 'user', content: [result('a')] },
      ],
    },
    /input: Input should be a valid dictionary/,
  ],
  [
    'thinking that was altered',
    {
      messages: [
        ask,
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }] },
      ],
    },
    /Invalid `signature`/,
  ],
];

const call = { type: 'function_call', call_id: 'call_1', name: 'say', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
const flat = (name: string) => ({ type: 'function', name, parameters: schema });

const RESPONSES: readonly RefusalCase[] = [
  [
    'a whole exchange',
    { tools: [flat('n'.repeat(64))], input: [ask, call, output, ask] },
    'accepted',
  ],
  ['a name with a blank', { tools: [flat('a b')] }, /does not match pattern/],
  ['a name too long', { tools: [flat('n'.repeat(65))] }, /maximum length 64/],
  ['a name twice', { tools: [flat('say'), flat('say')] }, /'say' is declared twice/],
  ['a schema of no type', { tools: [{ ...flat('say'), parameters: {} }] }, /"None"/],
  [
    'a forced tool that is not declared',
    { tools: [flat('say')], tool_choice: { type: 'function', name: 'other' } },
    /'other' not found/,
  ],
  ['a call without output', { input: [ask, call] }, /No tool output found.*call_1/],
  ['an output without call', { input: [ask, output] }, /No tool call found.*call_1/],
  [
    'an output whose call the store may hold',
    { input: [ask, { type: 'item_reference', id: 'fc_1' }, output] },
    'accepted',
  ],
];

const nested = (name: string) => ({ type: 'function', function: { name, parameters: schema } });
const toolCalls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'say', arguments: '{}' },
  })),
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const many = (count: number) => Array.from({ length: count }, (_, n) => nested(`tool_${n}`));

const CHAT: readonly RefusalCase[] = [
  [
    'a whole exchange',
    {
      tools: many(128),
      messages: [ask, toolCalls('a', 'b'), answer('b'), answer('a'), ask],
    },
    'accepted',
  ],
  ['129 tools', { tools: many(129) }, /maximum length 128.*length 129/],
  ['a name with a colon', { tools: [nested('a:b')] }, /function\.name.*does not match/],
  ['a name twice', { tools: [nested('say'), nested('say')] }, /declared twice/],
  [
    'a forced tool that is not declared',
    {
      tools: [nested('say')],
      tool_choice: { type: 'function', function: { name: 'other' } },
    },
    /'other' not found/,
  ],
  ['a call without answer', { messages: [ask, toolCalls('a'), ask] }, /response messages: a$/],
  ['a call at the end', { messages: [ask, toolCalls('a')] }, /response messages: a$/],
  ['an answer to no call', { messages: [ask, answer('a')] }, /must be a response to/],
];

testRefusals('anthropic', ANTHROPIC);
testRefusals('openai-responses', RESPONSES);
testRefusals('openai-chat', CHAT);
