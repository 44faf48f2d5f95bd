import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

const schema = { type: 'object', properties: {} };
const flat = (name: string) => ({ type: 'function', name, parameters: schema });
const nested = (name: string) => ({ type: 'function', function: { name, parameters: schema } });
const ask = { role: 'user', content: 'Go.' };

const additional = (...tools: unknown[]) => ({
  type: 'additional_tools',
  role: 'developer',
  tools,
});
const space = (name: string, ...tools: unknown[]) => ({
  type: 'namespace',
  name,
  description: 'Some tools.',
  tools,
});
const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: schema,
};
const searchCall = {
  type: 'tool_search_call',
  id: 'tsc_1',
  call_id: 'call_1',
  execution: 'client',
  status: 'completed',
  arguments: { query: 'say' },
};
const searchOutput = (...tools: unknown[]) => ({
  type: 'tool_search_output',
  call_id: 'call_1',
  execution: 'client',
  status: 'completed',
  tools,
});
const call = (name: string, namespace?: string) => ({
  type: 'function_call',
  call_id: 'call_2',
  name,
  ...(namespace !== undefined && { namespace }),
  arguments: '{}',
});
const output = { type: 'function_call_output', call_id: 'call_2', output: 'ok' };

const ADDITIONAL: readonly RefusalCase[] = [
  [
    'additional tools, and one replaced by a later item',
    {
      tools: [flat('load')],
      input: [
        ask,
        additional(flat('say'), space('github', flat('say'), flat('ask'))),
        call('ask', 'github'),
        output,
        additional(flat('say')),
      ],
    },
    'accepted',
  ],
  [
    'additional tools from a user',
    { input: [ask, { ...additional(flat('say')), role: 'user' }] },
    /input\[1\]\.role' must be 'developer'/,
  ],
  [
    'one name twice in an item',
    { input: [additional(flat('say'), flat('say'))] },
    /'say' is declared twice/,
  ],
  [
    'an additional tool under a declared name',
    { tools: [flat('say')], input: [additional(flat('say'))] },
    /'say' is declared twice/,
  ],
  [
    'an additional tool with a dot in its name',
    { input: [additional(flat('a.b'))] },
    /input\[0\]\.tools\[0\]\.name'.*pattern/,
  ],
  [
    'an additional tool without a type in its schema',
    { input: [additional({ ...flat('say'), parameters: {} })] },
    /schema for function 'say'/,
  ],
  [
    'one name twice in a namespace',
    { input: [additional(space('github', flat('say'), flat('say')))] },
    /'say' is declared twice/,
  ],
  [
    'a blank in a name in a namespace',
    { input: [additional(space('github', flat('a b')))] },
    /input\[0\]\.tools\[0\]\.tools\[0\]\.name'/,
  ],
  [
    'a choice of an additional tool',
    { input: [additional(flat('say'))], tool_choice: { type: 'function', name: 'say' } },
    /'say' not found/,
  ],
];

const SEARCH: readonly RefusalCase[] = [
  [
    'a search with what it found, and a call of it',
    {
      tools: [search],
      input: [
        ask,
        searchCall,
        searchOutput(flat('say'), space('github', flat('ask'))),
        call('ask', 'github'),
        output,
      ],
    },
    'accepted',
  ],
  [
    'a search without output',
    { tools: [search], input: [ask, searchCall] },
    /No tool search output found.*call_1/,
  ],
  [
    'an output without search',
    { tools: [search], input: [searchOutput()] },
    /No tool search call.*call_1/,
  ],
  [
    'an output whose search this server has not issued',
    { tools: [search], input: [{ type: 'item_reference', id: 'tsc_1' }, searchOutput()] },
    /No tool search call.*call_1/,
  ],
  [
    'an output whose search a stored response may hold',
    { tools: [search], previous_response_id: 'resp_1', input: [searchOutput()] },
    'accepted',
  ],
  [
    'an output that says the API ran the search',
    { tools: [search], input: [searchCall, { ...searchOutput(), execution: 'server' }] },
    /'execution' of tool search output call_1: expected 'client'/,
  ],
  [
    "the API's own search",
    {
      tools: [{ type: 'tool_search' }, flat('say')],
      input: [
        { ...searchCall, call_id: null, execution: 'server' },
        { ...searchOutput(), call_id: null, execution: 'server' },
      ],
    },
    'accepted',
  ],
  [
    "the API's own search, its output in the store",
    {
      tools: [{ type: 'tool_search' }],
      input: [
        { ...searchCall, call_id: null, execution: 'server' },
        { type: 'item_reference', id: 'tso_1' },
      ],
    },
    'accepted',
  ],
  [
    'an output with a tool that is declared as well',
    { tools: [search, flat('say')], input: [searchCall, searchOutput(flat('say'))] },
    'accepted',
  ],
  [
    'an output where no search is declared',
    { tools: [flat('say')], input: [searchCall, searchOutput()] },
    /needs a 'tool_search' tool/,
  ],
  [
    'an output with a definition that is none',
    { tools: [search], input: [searchCall, searchOutput({ ...flat('say'), parameters: {} })] },
    /schema for function 'say'/,
  ],
];

const NAMESPACES: readonly RefusalCase[] = [
  [
    'a call that has lost its namespace',
    {
      tools: [search],
      input: [searchCall, searchOutput(space('github', flat('say'))), call('say'), output],
    },
    /Missing namespace for function call call_2: 'say' belongs to 'github'/,
  ],
  [
    'a call with another namespace',
    { input: [additional(space('github', flat('say'))), call('say', 'gitlab'), output] },
    /'say' belongs to 'github'/,
  ],
  [
    'a call of a function that also stands alone',
    { input: [additional(space('github', flat('say')), flat('say')), call('say'), output] },
    'accepted',
  ],
  [
    'a call from before the namespace came',
    { input: [call('say'), output, additional(space('github', flat('say')))] },
    'accepted',
  ],
];

const kimi = (tools: unknown, role = 'system') => ({
  model: 'kimi-k3',
  tools: [nested('load')],
  messages: [ask, { role, content: '', tools }],
});

const CHAT: readonly RefusalCase[] = [
  [
    'tools in system messages, and one replaced by a later message',
    {
      model: 'moonshotai/Kimi-K2',
      tools: [nested('load')],
      messages: [
        ask,
        { role: 'system', content: '', tools: [nested('say'), nested('ask')] },
        { role: 'assistant', content: 'Well.' },
        { role: 'system', content: '', tools: [nested('say')] },
      ],
    },
    'accepted',
  ],
  [
    'tools in a message to another model',
    { ...kimi([nested('say')]), model: 'gpt-5.4' },
    /Unknown parameter: 'messages\[1\]\.tools'/,
  ],
  ['tools in a user message', kimi([nested('say')], 'user'), /only a system message/],
  ['tools of another form', kimi([flat('say')]), /expected a list of function definitions/],
  ['tools that are no list', kimi({}), /expected a list of function definitions/],
  ['one name twice in a message', kimi([nested('say'), nested('say')]), /'say' is declared twice/],
  ['a declared name in a message', kimi([nested('load')]), /'load' is declared twice/],
  [
    'a name with a dot in a message',
    kimi([nested('a.b')]),
    /'messages\[1\]\.tools\[0\]\.function\.name'/,
  ],
];

testRefusals('openai-responses', ADDITIONAL, ', additional tools');
testRefusals('openai-responses', SEARCH, ', tool search');
testRefusals('openai-responses', NAMESPACES, ', namespaces');
testRefusals('openai-chat', CHAT, ', tools in messages');
