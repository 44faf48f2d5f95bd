import type { ReplyCall, WireProvider } from '../../src/testing/index.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What the model sees when it writes a call. */
export interface Sight {
  readonly random: Random;
  readonly world: World;
  readonly provider: WireProvider;
  /** Names that the request declares. */
  readonly declared: readonly string[];
  readonly canRepeatIds: boolean;
  /** Ids of calls in the history. */
  readonly ids: readonly string[];
}

/** One way to write a call. To add a way, add a row. */
export interface CallWay {
  readonly name: string;
  readonly weight: number;
  /** Nothing where the way does not fit what is declared. */
  readonly write: (sight: Sight) => readonly ReplyCall[] | undefined;
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
  { random, declared }: Sight,
  name: string,
  given: object | string,
): ReplyCall | undefined {
  const dispatcher = declared.find((one) => Object.hasOwn(DISPATCHERS, one));
  if (dispatcher === undefined || declared.includes(name) || random.chance(0.3)) {
    // The providers' own maps of names lose this one.
    return name === 'constructor' ? undefined : { name, arguments: given };
  }
  const key = DISPATCHERS[dispatcher] ?? 'name';
  return { name: dispatcher, arguments: { [key]: name, arguments: given } };
}

function one(call: ReplyCall | undefined): readonly ReplyCall[] | undefined {
  return call && [call];
}

const anyTool = ({ random, world }: Sight): string => random.pick(world.specs).name;

/** A call of a bridge tool, where it is declared. */
function bridge(name: string, weight: number, given: (sight: Sight) => object): CallWay {
  return {
    name,
    weight,
    write: (sight) =>
      sight.declared.includes(name) ? [{ name, arguments: given(sight) }] : undefined,
  };
}

const search = ({ random }: Sight) => ({
  query: random.pick(['plain', 'words', 'content of a file', 'zzz', '']),
});

export const CALL_WAYS: readonly CallWay[] = [
  {
    name: 'a right call',
    weight: 30,
    write: (sight) => one(written(sight, anyTool(sight), good(sight.random))),
  },
  {
    name: 'wrong arguments',
    weight: 4,
    write: (sight) => one(written(sight, anyTool(sight), sight.random.pick(WRONG))),
  },
  {
    name: 'the same invalid call twice',
    weight: 2,
    write: (sight) => {
      const call = written(sight, anyTool(sight), { text: 7 });
      return call && [call, call];
    },
  },
  {
    name: 'broken JSON',
    weight: 3,
    write: (sight) => {
      const name = sight.random.chance(0.5) ? sight.random.pick(sight.declared) : anyTool(sight);
      return [{ name, arguments: sight.random.pick(BROKEN_JSON) }];
    },
  },
  {
    name: 'an unknown or illegal name',
    weight: 3,
    write: (sight) => one(written(sight, sight.random.pick(ODD_NAMES), good(sight.random))),
  },
  {
    name: 'a bare name',
    weight: 2,
    write: (sight) => {
      const { bareName } = sight.random.pick(sight.world.specs);
      return one(written(sight, bareName, good(sight.random)));
    },
  },
  {
    // Only servers that speak OpenAI's format are known to number calls anew, and the SDK's UI
    // messages tell calls apart by their ids alone.
    name: 'an id that was used before',
    weight: 1,
    write: (sight) => {
      const call = written(sight, anyTool(sight), good(sight.random));
      const isPossible = sight.provider === 'openai-chat' && sight.canRepeatIds;
      if (!isPossible || !call || sight.ids.length === 0) return undefined;
      return [{ ...call, id: sight.random.pick(sight.ids) }];
    },
  },
  bridge('load_tools', 8, ({ random, world }) => {
    const { groupId, tools } = random.pick(world.groups);
    const some = random.chance(0.3) ? { tool_names: [random.pick(tools).bareName, 'none'] } : {};
    return { group_id: random.chance(0.1) ? 'mcp:none' : groupId, ...some };
  }),
  bridge('tool_search', 5, search),
  bridge('search_listed_tools', 3, search),
  bridge('tool_describe', 5, (sight) => ({ names: [anyTool(sight), 'none'] })),
  bridge('request_tool', 8, (sight) => ({ name: anyTool(sight) })),
  bridge('deferred_tool_call', 1, () => ({})),
];
