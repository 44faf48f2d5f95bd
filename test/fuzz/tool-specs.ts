import type { Random } from './random.ts';
import { BEHAVIOURS, type Behaviour } from './tool-behaviours.ts';

/** What policy says of a tool, whatever route a call of it takes. */
export type Rule = 'open' | 'hidden' | 'denied' | 'asks' | 'changes';
/** Who says that the user has to be asked. */
export type Asker = 'hook' | 'setting' | 'tool';

/** A tool as the fuzzer knows it. */
export interface ToolSpec {
  /** The canonical name. */
  readonly name: string;
  readonly bareName: string;
  /** None for the app's own. */
  readonly groupId: string | undefined;
  readonly behaviour: Behaviour;
  readonly rule: Rule;
  readonly asker: Asker;
}

/** A group and what it lists. */
export interface GroupSpec {
  readonly groupId: string;
  readonly tools: readonly ToolSpec[];
}

const RULES: readonly { readonly rule: Rule; readonly weight: number }[] = [
  { rule: 'open', weight: 12 },
  { rule: 'asks', weight: 3 },
  { rule: 'denied', weight: 2 },
  { rule: 'changes', weight: 1 },
  { rule: 'hidden', weight: 1 },
];

const GROUP_IDS = ['mcp:alpha', 'mcp:beta', 'mcp:gamma', 'delta', 'mcp:epsilon'];

/** What a route can do with tools. */
export interface Needs {
  readonly askers: readonly Asker[];
  /** Results have to be JSON: the route sends them to a browser. */
  readonly isJson: boolean;
}

/** The app's own tools and three to five groups; tools are named for what they do. */
export function makeSpecs(
  random: Random,
  { askers, isJson }: Needs,
): { own: ToolSpec[]; groups: GroupSpec[] } {
  const possible = BEHAVIOURS.filter(({ isJson: can = true }) => can || !isJson);
  const spec = (groupId: string | undefined, behaviour: Behaviour): ToolSpec => {
    const prefix = groupId === undefined ? '' : `${groupId.replace('mcp:', '')}__`;
    const bareName = groupId === undefined ? `own_${behaviour.name}` : behaviour.name;
    const { rule } = random.weighted(RULES);
    const asker = random.pick(askers);
    return { name: `${prefix}${bareName}`, bareName, groupId, behaviour, rule, asker };
  };
  const some = (groupId: string | undefined, count: number): ToolSpec[] => {
    const chosen = new Set<Behaviour>();
    while (chosen.size < count) chosen.add(random.weighted(possible));
    return [...chosen].map((behaviour) => spec(groupId, behaviour));
  };
  const groups = GROUP_IDS.slice(0, random.int(3, GROUP_IDS.length)).map((groupId) => ({
    groupId,
    tools: some(groupId, random.int(2, 6)),
  }));
  return { own: some(undefined, random.int(1, 3)), groups };
}
