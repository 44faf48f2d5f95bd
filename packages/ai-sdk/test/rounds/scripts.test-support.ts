import type { Reply, ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isFull, product } from '@toolfold/testing/test/combinations.test-support.ts';
import type { Mode, Route } from '../conversation.test-support.ts';
import { BUG, CREATE, GITHUB, MODES, ROUTES, WAYS, type Way } from './rounds.test-support.ts';

/** One thing that a model can do in a turn. */
export interface Script {
  readonly name: string;
  readonly replies: (way: Way) => readonly Reply[];
  /** Whether a way can play it. Default: every way can. */
  readonly needs?: (way: Way) => boolean;
}

const LINEAR = 'mcp:linear';
const done: Reply = { text: 'Done.' };

export const SCRIPTS: readonly Script[] = [
  {
    name: 'a load, a call',
    replies: ({ load, call }) => [{ calls: [load(GITHUB)] }, { calls: [call(CREATE, BUG)] }, done],
  },
  {
    name: 'a load and nothing else',
    replies: ({ load }) => [{ calls: [load(GITHUB)] }, done],
  },
  {
    name: 'two loads in a row, with text and reasoning',
    replies: ({ load, call }) => [
      { reasoning: 'Tools first.', text: 'One moment.', calls: [load(GITHUB)] },
      { reasoning: 'One more.', text: 'And these.', calls: [load(LINEAR)] },
      { reasoning: 'Now.', text: 'Now I call.', calls: [call(CREATE, BUG)] },
      { reasoning: 'It worked.', text: 'Done.' },
    ],
  },
  {
    name: 'parallel loads, one of them fails',
    replies: ({ load, call }) => [
      { text: 'All of them.', calls: [load(GITHUB), load('mcp:nowhere', 'nothing'), load(LINEAR)] },
      { text: 'So.', calls: [call(CREATE, BUG)] },
      done,
    ],
  },
  {
    name: 'a failing load, twice',
    replies: ({ load }) => [
      { calls: [load('mcp:flaky', 'wobble')] },
      { text: 'Again.', calls: [load('mcp:flaky', 'wobble')] },
      { text: 'It is down.' },
    ],
  },
  {
    name: 'a load, then a call in the same response',
    replies: ({ load, call }) => [
      { text: 'Both.', calls: [load(GITHUB), call(CREATE, BUG)] },
      { text: 'Next.', calls: [load(LINEAR)] },
      done,
    ],
  },
  {
    name: 'a call, then a load in the same response',
    replies: ({ load, call }) => [
      { calls: [call(CREATE, BUG), load(LINEAR)] },
      { calls: [load(GITHUB)] },
      done,
    ],
  },
  {
    name: 'a load, then two calls around a load',
    replies: ({ load, call }) => [
      { calls: [load(GITHUB)] },
      { calls: [load(LINEAR), call(CREATE, BUG), load(GITHUB), call(CREATE, { title: 'two' })] },
      done,
    ],
  },
  {
    name: 'malformed and blank arguments',
    replies: ({ loader }) => [
      { calls: [{ name: loader, arguments: '{"group_id": ' }] },
      { calls: [{ name: loader, arguments: '' }] },
      { calls: [{ name: loader, arguments: '[1]' }] },
      done,
    ],
  },
  {
    name: 'names of arguments in another order',
    replies: ({ loader }) => [
      { calls: [{ name: loader, arguments: { zeta: 1, group_id: GITHUB, name: CREATE, a: [] } }] },
      done,
    ],
  },
  {
    name: 'five loads in a row',
    replies: ({ load, call }) => [
      ...[GITHUB, LINEAR, GITHUB, LINEAR, GITHUB].map((group, n) => ({
        text: `Load ${n}.`,
        calls: [load(group)],
      })),
      { calls: [call(CREATE, BUG)] },
      done,
    ],
  },
  {
    name: 'a load through the dispatcher',
    needs: ({ dispatches }) => dispatches,
    replies: ({ call, loader, load }) => [
      { calls: [call(loader, load(GITHUB).arguments)] },
      { calls: [load(GITHUB)] },
      done,
    ],
  },
  {
    name: 'a search, a description, a call',
    needs: ({ strategy }) => strategy === 'bridge',
    replies: ({ load, call }) => [
      // With one match, which needs no load, the second answer does not depend on how far the first search has come.
      { calls: [search('create an issue'), search('deploy', { limit: 1 })] },
      { text: 'Found.', calls: [load(GITHUB)] },
      { calls: [call(CREATE, BUG)] },
      done,
    ],
  },
  {
    name: 'an unknown tool after a load',
    replies: ({ load }) => [
      { calls: [load(GITHUB)] },
      { calls: [{ name: 'no_such_tool', arguments: {} }] },
      { calls: [load(LINEAR)] },
      done,
    ],
  },
  {
    name: 'long texts in pieces',
    replies: ({ load, call }) => [
      { text: 'Some words. '.repeat(9), chunkSize: 7, calls: [load(GITHUB), load(LINEAR)] },
      { text: 'More words. '.repeat(9), chunkSize: 5, calls: [call(CREATE, BUG)] },
      { text: 'The end. '.repeat(9), chunkSize: 3 },
    ],
  },
];

/** The turn after each script. */
export function later({ load, call }: Way): readonly Reply[] {
  return [
    { text: 'Again.', calls: [load('mcp:linear')] },
    { calls: [call('linear__create_issue', { title: 'later' })] },
    { text: 'Done again.' },
  ];
}

function search(query: string, more: { readonly limit?: number } = {}): ReplyCall {
  return { name: 'tool_search', arguments: { query, ...more } };
}

/** One way to play a script. The strategy and the endpoint are those of the way, so that pairs count them apart. */
export interface Row {
  readonly strategy: Way['strategy'];
  readonly endpoint: Way['endpoint'];
  readonly script: Script;
  readonly mode: Mode;
  readonly route: Route;
  readonly [setting: string]: unknown;
}

/** Some endpoints stand for those with the same format of messages, unless every combination is tested. */
const FEW = ['anthropic', 'openai responses', 'openai chat', 'anthropic-inline', 'openai-search'];
export const SOME_WAYS: readonly Way[] = WAYS.filter(
  ({ endpoint }) => isFull || FEW.includes(endpoint.name),
);

/** Every script in every way. */
export function rowsOf(ways: readonly Way[], routes: readonly Route[] = ROUTES): Row[] {
  return product({ way: ways, script: SCRIPTS, mode: MODES, route: routes })
    .filter(({ way, script }) => script.needs?.(way) ?? true)
    .map(({ way: { strategy, endpoint }, ...rest }) => ({ strategy, endpoint, ...rest }));
}

export function wayIn({ strategy, endpoint }: Row): Way {
  const way = WAYS.find((one) => one.strategy === strategy && one.endpoint === endpoint);
  if (!way) throw new Error(`${strategy} is not tested on ${endpoint.name}.`);
  return way;
}
