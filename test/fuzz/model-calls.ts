import type { ReplyCall, WireProvider } from '../../packages/testing/src/index.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What the scripted model knows when it writes a call. */
export interface CallContext {
  readonly random: Random;
  readonly world: World;
  readonly provider: WireProvider;
  /** Names of the tools that the request declares. */
  readonly declared: readonly string[];
  readonly canRepeatIds: boolean;
  /** Ids of calls in the history. */
  readonly ids: readonly string[];
}

/** One way to write a call. To add one, add a row. */
export interface CallWay {
  readonly name: string;
  readonly weight: number;
  /** Undefined if the declared tools do not allow this way. */
  readonly write: (context: CallContext) => readonly ReplyCall[] | undefined;
}

const DISPATCHERS: Readonly<Record<string, string>> = {
  deferred_tool_call: 'tool_name',
  tool_call: 'name',
};
const ODD_NAMES = [
  'no_such_tool',
  'alpha__nothing',
  'a name with spaces',
  'größe.messen',
  'functions.alpha__plain',
  'x'.repeat(200),
  'constructor',
  '$weird:name',
];
const BROKEN_JSON = ['{"text": ', '', 'null', '[1]', '"words"', '{"text":"a"}}', 'not JSON at all'];
const WRONG = [
  {},
  { text: 5 },
  { text: '' },
  { count: 1 },
  { text: 'a', extra: 1 },
  { text: null },
];

const good = (random: Random): object => ({
  text: random.pick(['a', 'b', 'some words', 'ü "quoted"']),
});

/** A call in one of the forms that the request allows. */
function written(
  { random, declared }: CallContext,
  name: string,
  given: object | string,
): ReplyCall | undefined {
  const dispatcher = declared.find((one) => Object.hasOwn(DISPATCHERS, one));
  if (dispatcher === undefined || declared.includes(name) || random.chance(0.3)) {
    // The maps of names in the providers' packages lose this name.
    return name === 'constructor' ? undefined : { name, arguments: given };
  }
  const key = DISPATCHERS[dispatcher] ?? 'name';
  return { name: dispatcher, arguments: { [key]: name, arguments: given } };
}

function one(call: ReplyCall | undefined): readonly ReplyCall[] | undefined {
  return call && [call];
}

const anyTool = ({ random, world }: CallContext): string => random.pick(world.specs).name;

/** A call of a bridge tool, if the request declares it. */
function bridge(name: string, weight: number, given: (context: CallContext) => object): CallWay {
  return {
    name,
    weight,
    write: (context) =>
      context.declared.includes(name) ? [{ name, arguments: given(context) }] : undefined,
  };
}

const search = ({ random }: CallContext) => ({
  query: random.pick(['plain', 'words', 'content of a file', 'zzz', '']),
});

export const CALL_WAYS: readonly CallWay[] = [
  {
    name: 'a valid call',
    weight: 30,
    write: (context) => one(written(context, anyTool(context), good(context.random))),
  },
  {
    name: 'wrong arguments',
    weight: 4,
    write: (context) => one(written(context, anyTool(context), context.random.pick(WRONG))),
  },
  {
    name: 'the same invalid call twice',
    weight: 2,
    write: (context) => {
      const call = written(context, anyTool(context), { text: 7 });
      return call && [call, call];
    },
  },
  {
    name: 'broken JSON',
    weight: 3,
    write: (context) => {
      const name = context.random.chance(0.5)
        ? context.random.pick(context.declared)
        : anyTool(context);
      return [{ name, arguments: context.random.pick(BROKEN_JSON) }];
    },
  },
  {
    name: 'an unknown or illegal name',
    weight: 3,
    write: (context) => one(written(context, context.random.pick(ODD_NAMES), good(context.random))),
  },
  {
    name: 'a bare name',
    weight: 2,
    write: (context) => {
      const { bareName } = context.random.pick(context.world.specs);
      return one(written(context, bareName, good(context.random)));
    },
  },
  {
    // Only servers of OpenAI's format are known to repeat ids of calls. The SDK's UI messages
    // distinguish calls only by their ids.
    name: 'an id that was used before',
    weight: 1,
    write: (context) => {
      const call = written(context, anyTool(context), good(context.random));
      const isPossible = context.provider === 'openai-chat' && context.canRepeatIds;
      if (!isPossible || !call || context.ids.length === 0) return undefined;
      return [{ ...call, id: context.random.pick(context.ids) }];
    },
  },
  bridge('load_tools', 8, ({ random, world }) => {
    const { groupId, tools } = random.pick(world.groups);
    const some = random.chance(0.3) ? { tool_names: [random.pick(tools).bareName, 'none'] } : {};
    return { group_id: random.chance(0.1) ? 'mcp:none' : groupId, ...some };
  }),
  bridge('tool_search', 5, search),
  bridge('search_listed_tools', 3, search),
  bridge('tool_describe', 5, (context) => ({ names: [anyTool(context), 'none'] })),
  bridge('request_tool', 8, (context) => ({ name: anyTool(context) })),
  bridge('deferred_tool_call', 1, () => ({})),
];
