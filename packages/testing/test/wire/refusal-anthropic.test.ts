import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

const CHANGES = { 'anthropic-beta': 'mid-conversation-tool-changes-2026-07-01' };
const INLINE = {
  'anthropic-beta': 'mid-conversation-system-2026-04-07, inline-tools-2026-09-15',
};
const UNRESOLVED = { headers: INLINE, code: 'tool_reference_unresolved' };
const CONFLICT = { headers: INLINE, code: 'tool_name_conflict' };
const EXCEEDED = { headers: INLINE, code: 'available_tools_limit_exceeded' };

const schema = { type: 'object', properties: {} };
const load = { name: 'load', input_schema: schema };
const deferred = (name: string) => ({ name, input_schema: schema, defer_loading: true });
const tools = [load, deferred('later')];

const ask = { role: 'user', content: 'Go.' };
const text = (value: string) => ({ type: 'text', text: value });
const use = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'load', input: {} }],
};
const result = (content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', content }],
});
const found = (name: string) => ({ type: 'tool_reference', tool_name: name });

const byName = (name: string, type = 'tool_addition') => ({
  type,
  tool: { type: 'tool_reference', name },
});
const byValue = (definition: Record<string, unknown>) => ({
  type: 'tool_addition',
  tool: { type: 'tool_definition', definition },
});
const say = { name: 'say', input_schema: schema };
const system = (...content: unknown[]) => ({ role: 'system', content });
const spoken = { role: 'assistant', content: [text('Well.')] };
const paused = {
  role: 'assistant',
  content: [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: {} },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'tool_search_tool_search_result', tool_references: [found('later')] },
    },
  ],
};

const many = (count: number, make: (name: string) => unknown) =>
  Array.from({ length: count }, (_, n) => make(`tool_${n}`));
const inline = (name: string) => byValue({ ...say, name });

const DEFERRED: readonly RefusalCase[] = [
  [
    'a search by the app that answers with references',
    { tools, messages: [ask, use, result([found('later'), found('load')]), spoken, ask] },
    'accepted',
  ],
  ['a search by the API', { tools, messages: [ask, paused] }, 'accepted'],
  ['a list of deferred tools only', { tools: [deferred('later')] }, /At least one tool/],
  [
    'a deferred search tool',
    {
      tools: [load, { type: 'tool_search_tool_bm25_20251119', name: 'find', defer_loading: true }],
    },
    /tools\.1: a tool search tool cannot/,
  ],
  [
    'a marker on a deferred tool',
    { tools: [load, { ...deferred('later'), cache_control: { type: 'ephemeral' } }] },
    /tools\.1: `cache_control` cannot/,
  ],
  [
    'too many deferred tools',
    { tools: [load, ...many(10_001, deferred)] },
    /10001 deferred tools/,
    { code: EXCEEDED.code },
  ],
  ['as many as may be', { tools: [load, ...many(10_000, deferred)] }, 'accepted'],
  [
    'a result that refers to no tool',
    { tools, messages: [ask, use, result([found('later'), found('nobody')])] },
    /messages\.2\.content\.0: .*'nobody'/,
    { code: UNRESOLVED.code },
  ],
  [
    'text beside references',
    { tools, messages: [ask, use, result([found('later'), text('There.')])] },
    /messages\.2\.content\.0\.tool_result\.content: .*beside other content/,
  ],
];

const ADDITIONS: readonly RefusalCase[] = [
  [
    'definitions by value, later versions and references to them',
    {
      tools,
      messages: [
        ask,
        use,
        result('ok'),
        system(byValue(say), byValue({ ...say, name: 'ask' }), text('New tools.')),
        spoken,
        ask,
        system(byName('say', 'tool_removal'), byValue({ ...say, description: 'Says it.' })),
        system(byName('later')),
        spoken,
        ask,
        system(byName('ask'), byName('later', 'tool_removal')),
      ],
    },
    'accepted',
    { headers: INLINE },
  ],
  [
    'additions and removals by reference',
    {
      tools,
      messages: [
        ask,
        system(byName('later')),
        spoken,
        ask,
        system(byName('later', 'tool_removal')),
      ],
    },
    'accepted',
    { headers: CHANGES },
  ],
  [
    'a reference without its beta',
    { tools, messages: [ask, system(byName('later'))] },
    /beta header mid.* or inline/,
  ],
  [
    'a definition with the beta for references',
    { tools, messages: [ask, system(byValue(say))] },
    /messages\.1\.content\.0: .*beta header inline-tools/,
    { headers: CHANGES },
  ],
  [
    'a removal by definition',
    { tools, messages: [ask, system({ ...byValue(say), type: 'tool_removal' })] },
    /tool_removal\.tool: Input tag 'tool_definition'/,
    { headers: INLINE },
  ],
  [
    'a definition that is not there',
    {
      tools,
      messages: [ask, system({ type: 'tool_addition', tool: { type: 'tool_definition' } })],
    },
    /definition: Field required/,
    { headers: INLINE },
  ],
  [
    'a definition with a dot in its name',
    { tools, messages: [ask, system(byValue({ ...say, name: 'a.b' }))] },
    /definition\.custom\.name: String should match/,
    { headers: INLINE },
  ],
  [
    'a definition without a type in its schema',
    { tools, messages: [ask, system(byValue({ ...say, input_schema: {} }))] },
    /definition\.custom\.input_schema\.type/,
    { headers: INLINE },
  ],
  [
    'a deferred definition',
    { tools, messages: [ask, system(byValue(deferred('say')))] },
    /`defer_loading` withholds/,
    { headers: INLINE },
  ],
  [
    'a definition where nothing is deferred in the list',
    { tools: [load], messages: [ask, system(byValue(say))] },
    /loses the cached prefix/,
    { headers: INLINE },
  ],
  [
    'a reference where nothing is deferred in the list',
    { tools: [load], messages: [ask, system(byName('load', 'tool_removal'))] },
    'accepted',
    { headers: INLINE },
  ],
  [
    'one name twice in a message',
    { tools, messages: [ask, system(byName('later'), byValue({ ...say, name: 'later' }))] },
    /messages\.1\.content\.1: 'later' is added twice/,
    CONFLICT,
  ],
  [
    "a definition under a server tool's name",
    {
      tools: [...tools, { type: 'web_search_20250305', name: 'web_search' }],
      messages: [ask, system(byValue({ ...say, name: 'web_search' }))],
    },
    /'web_search' is the name of a tool of another type/,
    CONFLICT,
  ],
  [
    'an addition of no tool',
    { tools, messages: [ask, system(byName('nobody'))] },
    /'nobody'/,
    UNRESOLVED,
  ],
  [
    'a removal of no tool',
    { tools, messages: [ask, system(byName('nobody', 'tool_removal'))] },
    /'nobody'/,
    UNRESOLVED,
  ],
  [
    'a reference ahead of the definition',
    { tools, messages: [ask, system(byName('say')), spoken, ask, system(byValue(say))] },
    /messages\.1\.content\.0: .*'say'/,
    UNRESOLVED,
  ],
  [
    'too many definitions',
    { tools, messages: [ask, system(...many(10_001, inline))] },
    /10001 tools defined/,
    EXCEEDED,
  ],
  [
    'definitions of which enough are removed again',
    {
      tools,
      messages: [
        ask,
        system(...many(10_000, inline)),
        spoken,
        ask,
        system(byName('tool_0', 'tool_removal'), byValue(say)),
      ],
    },
    'accepted',
    { headers: INLINE },
  ],
  [
    'definitions that are too large together',
    {
      tools,
      messages: [
        ask,
        system(
          ...['one', 'two'].map((name) =>
            byValue({ ...say, name, description: 'x'.repeat(2_097_152) }),
          ),
        ),
      ],
    },
    /bytes of definitions/,
    EXCEEDED,
  ],
  [
    'a large definition that replaces another',
    {
      tools,
      messages: [
        ask,
        ...['x', 'y'].map((letter) =>
          system(byValue({ ...say, description: letter.repeat(3_000_000) })),
        ),
      ],
    },
    'accepted',
    { headers: INLINE },
  ],
];

const PLACES: readonly RefusalCase[] = [
  [
    'a system message at the start',
    { messages: [system(text('Hi.')), ask] },
    /messages\.0: .*must follow/,
  ],
  [
    'a change between a call and its result',
    { tools, messages: [ask, use, system(byName('later')), result('ok')] },
    /messages\.2: .*must follow/,
    { headers: INLINE },
  ],
  [
    'a change after an assistant turn',
    { tools, messages: [ask, spoken, system(byName('later'))] },
    /messages\.2: .*must follow/,
    { headers: INLINE },
  ],
  [
    'a change ahead of a user turn',
    { tools, messages: [ask, system(byName('later')), system(text('So.')), ask] },
    /messages\.2: .*must be the last or precede/,
    { headers: INLINE },
  ],
  ['text after a paused turn', { tools, messages: [ask, paused, system(text('So.'))] }, 'accepted'],
  [
    'a change after a paused turn',
    { tools, messages: [ask, paused, system(text('So.')), system(byName('later'))] },
    /messages\.3: .*paused/,
    { headers: INLINE },
  ],
  [
    'an empty system message anywhere',
    { messages: [system(), ask, spoken, system(), ask] },
    'accepted',
  ],
];

testRefusals('anthropic', DEFERRED, ', deferred tools');
testRefusals('anthropic', ADDITIONS, ', changes of tools');
testRefusals('anthropic', PLACES, ', places of system messages');
