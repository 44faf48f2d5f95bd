import type { Reply, ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { CallSettings } from './conversation.test-support.ts';

/** The calls of a model in a strategy that keeps the prefix. */
export interface Dialect {
  readonly strategy: 'dispatch' | 'bridge' | 'native';
  readonly loader: string;
  /** The dispatcher. `native` has none; a group tool takes its place. */
  readonly dispatcher: string;
  /** A text that the result of a load contains. */
  readonly loaded: RegExp;
  readonly load: (group: string, ...names: string[]) => ReplyCall;
  readonly call: (name: string, input: unknown) => ReplyCall;
}

export const DISPATCH: Dialect = {
  strategy: 'dispatch',
  loader: 'load_tools',
  dispatcher: 'deferred_tool_call',
  loaded: /"parameters"/,
  load: (group_id, ...names) => ({
    name: 'load_tools',
    arguments: names.length > 0 ? { group_id, tool_names: names } : { group_id },
  }),
  call: (tool_name, input) => ({
    name: 'deferred_tool_call',
    arguments: { tool_name, arguments: input },
  }),
};

export const BRIDGE: Dialect = {
  strategy: 'bridge',
  loader: 'tool_describe',
  dispatcher: 'tool_call',
  loaded: /"parameters"/,
  load: (group, ...names) => ({
    name: 'tool_describe',
    arguments: { names: names.length > 0 ? names : [`${group.replace('mcp:', '')}__create_issue`] },
  }),
  call: (name, input) => ({ name: 'tool_call', arguments: { name, arguments: input } }),
};

export const NATIVE: Dialect = {
  strategy: 'native',
  loader: 'load_tools',
  dispatcher: 'github__create_issue',
  loaded: /"expanded":true/,
  load: DISPATCH.load,
  call: (name, input) => ({ name, arguments: input as object }),
};

/** One thing that can happen in a generation, in every wire format. */
export interface Scenario {
  readonly name: string;
  readonly replies: (to: Dialect) => readonly Reply[];
  /** Calls that must have run, in order, each as `tool`, or `tool` and JSON of its input. */
  readonly runs: readonly string[];
  /** Text that each result must contain, in the order of the calls. */
  readonly results?: (to: Dialect) => readonly RegExp[];
  /** The scenario needs a dispatcher. */
  readonly dispatches?: true;
  readonly settings?: CallSettings;
  /** The user's answer to approval requests. */
  readonly answer?: (toolName: string) => { approved: boolean; reason?: string };
  readonly onError?: (error: unknown) => string;
}

const bug = { title: 'bug' };
const GITHUB = 'mcp:github';
const github = 'github__create_issue';
const asking = { toolApproval: { [github]: 'user-approval', deploy: 'user-approval' } };
const redact = () => 'Something went wrong.';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'load then call',
    replies: (to) => [{ calls: [to.load(GITHUB)] }, { calls: [to.call(github, bug)] }],
    runs: ['github__create_issue {"title":"bug"}'],
    results: (to) => [to.loaded, /"done":"create_issue"/],
  },
  {
    name: 'direct call without loading',
    replies: (to) => [{ text: 'Let me see.', calls: [to.call(github, bug)] }],
    runs: ['github__create_issue {"title":"bug"}'],
    results: () => [/"done":"create_issue"/],
  },
  {
    name: 'load and call in one step',
    replies: (to) => [{ calls: [to.load(GITHUB), to.call(github, bug)] }],
    runs: ['github__create_issue {"title":"bug"}'],
    results: (to) => [to.loaded, /"done":"create_issue"/],
  },
  {
    name: 'two parallel calls, and an inline one',
    replies: (to) => [
      {
        calls: [
          to.call(github, { title: 'one' }),
          { name: 'ask', arguments: { question: 'why' } },
          to.call('linear__create_issue', { title: 'two' }),
        ],
      },
    ],
    runs: ['github__create_issue', 'ask', 'linear__create_issue'],
    results: () => [/"title":"one"/, /answer to why/, /"title":"two"/],
  },
  {
    name: 'valid and invalid in one step, invalid first',
    replies: (to) => [
      { calls: [to.call(github, { title: 5 }), to.call('linear__create_issue', bug)] },
    ],
    runs: ['linear__create_issue'],
    results: () => [/invalid_arguments.*not run.*\/title.*"required":\["title"\]/s, /"done"/],
  },
  {
    name: 'invalid behind another call',
    replies: (to) => [
      { calls: [to.call('linear__create_issue', bug), to.call(github, { labels: 'x' })] },
    ],
    runs: ['linear__create_issue'],
    results: () => [/"done"/, /invalid_arguments.*not run/s],
  },
  {
    name: 'the same invalid call three times',
    replies: (to) => [1, 2, 3].map(() => ({ calls: [to.call(github, { title: 5 })] })),
    runs: [],
    results: () => [/"error":"invalid_arguments"/, /"repeated_call","attempt":2/, /"attempt":3/],
  },
  {
    name: 'malformed JSON arguments',
    replies: (to) => [
      { calls: [{ name: to.dispatcher, arguments: '{"tool_name": "github__create_issue", "arg' }] },
      { calls: [{ name: to.loader, arguments: '{"group_id": ' }] },
      { calls: [{ name: 'ask', arguments: '{"question": ' }] },
    ],
    runs: [],
    results: () => [/not (valid JSON|run)/i, /malformed_call/, /invalid_arguments.*not run/s],
  },
  {
    name: 'unknown name, through the dispatcher and natively',
    replies: (to) => [
      { calls: [to.call('github__create_isue', bug)] },
      { calls: [{ name: 'no_such_tool', arguments: { a: 1 } }] },
    ],
    runs: [],
    results: () => [
      /unknown_tool.*did_you_mean.*github__create_issue/s,
      /unknown_tool.*No tool was run/s,
    ],
  },
  {
    name: 'unknown name behind another call',
    replies: (to) => [
      { calls: [to.call(github, bug), to.call('nothing', {}), { name: 'nil', arguments: {} }] },
    ],
    runs: ['github__create_issue'],
    results: () => [/"done"/, /unknown_tool/, /unknown_tool/],
  },
  {
    name: 'ambiguous name, and a full one',
    replies: (to) => [{ calls: [to.call('create_issue', bug)] }, { calls: [to.call(github, bug)] }],
    runs: ['github__create_issue'],
    results: () => [/ambiguous_tool.*github__create_issue.*linear__create_issue/s, /"done"/],
  },
  {
    name: 'bare name that only one group has',
    replies: (to) => [{ calls: [to.call('list_issues', {})] }],
    runs: ['github__list_issues'],
  },
  {
    name: 'tool that throws',
    replies: (to) => [{ calls: [to.call('github__explode', {})] }],
    runs: ['github__explode'],
    results: () => [/it blew up/],
  },
  {
    name: 'tool that throws behind an onError that redacts',
    replies: (to) => [{ calls: [to.call('github__explode', {}), to.call(github, { title: 5 })] }],
    runs: ['github__explode'],
    results: () => [/it blew up/, /invalid_arguments/],
    onError: redact,
  },
  {
    name: 'loader that fails, then works',
    replies: (to) => [
      { calls: [to.call('flaky__wobble', {})] },
      { calls: [{ name: 'ask', arguments: { question: 'up' } }] },
      { calls: [to.call('flaky__wobble', {})] },
    ],
    runs: ['ask', 'flaky__wobble'],
    results: () => [/load_failed.*the server is down/s, /answer/, /"done"/],
  },
  {
    name: 'inline tool through the dispatcher',
    replies: (to) => [
      { calls: [to.call('ask', { question: 'why' })] },
      { calls: [to.call('ask', {})] },
    ],
    runs: ['ask {"question":"why"}'],
    results: () => [/answer to why/, /invalid_arguments.*not run/s],
  },
  {
    name: 'native call of a hidden tool',
    replies: () => [
      { calls: [{ name: github, arguments: bug }] },
      { calls: [{ name: 'list_issues', arguments: {} }] },
      { calls: [{ name: github, arguments: { title: 7 } }] },
    ],
    runs: ['github__create_issue', 'github__list_issues'],
    results: () => [/"done"/, /"done"/, /invalid_arguments/],
  },
  {
    name: 'bridge in bridge',
    dispatches: true,
    replies: (to) => [
      { calls: [to.call(to.dispatcher, { tool_name: github, arguments: bug })] },
      { calls: [to.call(to.loader, { group_id: GITHUB })] },
    ],
    runs: [],
    results: () => [/bridge_in_bridge/, /bridge_in_bridge/],
  },
  {
    name: 'odd forms of arguments',
    dispatches: true,
    replies: (to) => {
      const key = to.strategy === 'dispatch' ? 'tool_name' : 'name';
      const odd = (rest: object): ReplyCall => ({
        name: to.dispatcher,
        arguments: { [key]: github, ...rest },
      });
      const blank = (rest: object): ReplyCall => ({
        name: to.dispatcher,
        arguments: { [key]: 'github__list_issues', ...rest },
      });
      return [
        { calls: [odd({ arguments: JSON.stringify(bug) })] },
        { calls: [odd({ title: 'flat' })] },
        { calls: [odd({ arguments: { arguments: { title: 'nested' } } })] },
        { calls: [blank({}), blank({ arguments: null }), blank({ arguments: '' })] },
        { calls: [odd({ arguments: '{"title": ' }), odd({ arguments: [1] })] },
        {
          calls: [
            { name: to.dispatcher, arguments: '' },
            { name: 'ask', arguments: '' },
          ],
        },
      ];
    },
    runs: [
      'github__create_issue {"title":"bug"}',
      'github__create_issue {"title":"flat"}',
      'github__create_issue {"title":"nested"}',
      'github__list_issues {}',
      'github__list_issues {}',
      'github__list_issues {}',
    ],
    results: () => [
      /done/,
      /done/,
      /done/,
      /done/,
      /done/,
      /done/,
      /not valid JSON/,
      /an array/,
      /malformed_call/,
      /invalid_arguments/,
    ],
  },
  {
    name: 'reasoning, text and calls',
    replies: (to) => [
      { reasoning: 'I need the tools.', text: 'Loading.', calls: [to.load(GITHUB)] },
      { reasoning: 'Now call.', calls: [to.call(github, bug)] },
    ],
    runs: ['github__create_issue'],
  },
  {
    // The providers' own maps lose native calls of `constructor` and `__proto__`.
    name: 'names of object members',
    dispatches: true,
    replies: (to) => [
      { calls: [to.call('linear__toString', {})] },
      { calls: [to.call('toString', {}), to.call('constructor', {}), to.call('__proto__', {})] },
    ],
    runs: ['linear__toString', 'linear__toString'],
    results: () => [/"done"/, /"done"/, /unknown_tool/, /unknown_tool/],
  },
  {
    name: 'call cut off by length',
    replies: (to) => [
      {
        calls: [{ name: to.dispatcher, arguments: '{"tool_name": "github__create_issue", "arg' }],
        finishReason: 'length',
      },
    ],
    runs: [],
    results: () => [/not (valid JSON|run)/i],
  },
  {
    name: 'approval given',
    replies: (to) => [{ calls: [to.call(github, bug)] }],
    runs: ['github__create_issue'],
    results: () => [/"done"/],
    settings: asking,
    answer: () => ({ approved: true }),
  },
  {
    name: 'approval denied without a reason',
    replies: (to) => [{ calls: [to.call(github, bug)] }],
    runs: [],
    results: () => [/denied/],
    settings: asking,
    answer: () => ({ approved: false }),
  },
  {
    name: 'approval denied with a reason',
    replies: (to) => [{ calls: [to.call(github, bug)] }],
    runs: [],
    results: () => [/not on a Friday/],
    settings: asking,
    answer: () => ({ approved: false, reason: 'not on a Friday' }),
  },
  {
    name: 'mixed: asked, run, invalid, denied',
    replies: (to) => [
      {
        calls: [
          to.call(github, bug),
          to.call('linear__create_issue', bug),
          to.call('github__list_issues', {}),
          { name: 'deploy', arguments: { target: 'prod' } },
          to.call('github__explode', {}),
        ],
      },
    ],
    runs: [
      'linear__create_issue',
      'github__list_issues',
      'github__explode',
      'github__create_issue',
    ],
    results: () => [
      /"done":"create_issue"/,
      /"done"/,
      /"done"/,
      /no/,
      /it blew up|Something went wrong/,
    ],
    settings: asking,
    answer: (name) => (name === 'deploy' ? { approved: false, reason: 'no' } : { approved: true }),
    onError: redact,
  },
  {
    name: 'denied by policy',
    replies: (to) => [{ calls: [to.call(github, bug), to.call('github__list_issues', {})] }],
    runs: ['github__list_issues'],
    results: () => [/policy says no/, /"done"/],
    settings: { toolApproval: { [github]: { type: 'denied', reason: 'policy says no' } } },
  },
];
