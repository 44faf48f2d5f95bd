import { type RefusalCase, testRefusals } from './refusal.test-support.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const forHour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const user = (...content: unknown[]) => ({ role: 'user', content });
const load = { name: 'load', input_schema: { type: 'object' } };
const use = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'a', name: 'load', input: {}, ...mark }],
};
const result = { type: 'tool_result', tool_use_id: 'a', content: 'ok' };
const thinking = {
  type: 'thinking',
  thinking: 'Hm.',
  signature: 'Ho0wz+6v4zVkJg4tqBwzSxdHJ4mO2g0q0JJtT2b3nZQ=',
};

const MARKS: readonly RefusalCase[] = [
  [
    'four marks: on a tool, the system text, a call and a result',
    {
      tools: [{ ...load, ...mark }],
      system: [text('Be kind.', mark)],
      messages: [user(text('Go.')), use, user({ ...result, ...mark })],
    },
    'accepted',
  ],
  [
    'a fifth mark',
    {
      tools: [{ ...load, ...mark }],
      system: [text('Be kind.', mark)],
      messages: [user(text('Go.', mark)), use, user({ ...result, ...mark })],
    },
    /^A maximum of 4 blocks with cache_control may be provided\. Found 5\.$/,
  ],
  [
    'a fifth mark on a part of a result',
    {
      system: [text('Be kind.', mark)],
      messages: [
        user(text('Go.', mark), text('Soon.', mark)),
        use,
        user({ ...result, content: [text('ok', mark)] }),
      ],
      tools: [load],
    },
    /Found 5\.$/,
  ],
  [
    'the automatic mark beside four others',
    {
      ...mark,
      messages: [user(...['a', 'b', 'c', 'd'].map((value) => text(value, mark)), text('e'))],
    },
    /Found 5\.$/,
  ],
  [
    'the automatic mark on the last of four',
    { ...mark, messages: [user(...['a', 'b', 'c', 'd'].map((value) => text(value, mark)))] },
    'accepted',
  ],
  [
    'the automatic mark for another time than that of the last block',
    { ...forHour, messages: [user(text('Go.', mark))] },
    /ttl='5m', and the top level asks for ttl='1h'/,
  ],
  [
    'an hour before five minutes',
    { system: [text('Be kind.', forHour)], messages: [user(text('Go.', mark))] },
    'accepted',
  ],
  [
    'an hour after five minutes, in the order tools, system, messages',
    { messages: [user(text('Go.', forHour))], tools: [{ ...load, ...mark }] },
    /^messages\.0\.content\.0\.cache_control\.ttl: a ttl='1h' cache_control block must not come after/,
  ],
  [
    'an hour at the top level after five minutes',
    { ...forHour, system: [text('Be kind.', mark)], messages: [user(text('Go.'))] },
    /^cache_control\.ttl: a ttl='1h'/,
  ],
  [
    'another time to live',
    { messages: [user(text('Go.', { cache_control: { type: 'ephemeral', ttl: '30m' } }))] },
    /ttl: Input should be '5m' or '1h'/,
  ],
  [
    'another type of mark',
    { messages: [user(text('Go.', { cache_control: { type: 'persistent' } }))] },
    /type: Input should be 'ephemeral'/,
  ],
  [
    'a mark on thinking',
    { messages: [user(text('Go.')), { role: 'assistant', content: [{ ...thinking, ...mark }] }] },
    /^messages\.1\.content\.0\.thinking\.cache_control: Extra inputs are not permitted$/,
  ],
  [
    'a mark on an empty text',
    { messages: [user(text('Go.'), text('', mark))] },
    /^messages\.0\.content\.1\.text: cache_control cannot be set for empty text blocks$/,
  ],
  ['no mark by null', { messages: [user(text('Go.', { cache_control: null }))] }, 'accepted'],
];

testRefusals('anthropic', MARKS, ', cache marks');
