import type { Random } from './random.ts';
import { BEHAVIOURS, type Behaviour } from './tool-behaviours.ts';

/** The policy for a tool, on every route of a call. */
export type Rule = 'open' | 'hidden' | 'denied' | 'asks' | 'changes';
/** The place that requires the user's approval. */
export type Asker = 'hook' | 'setting' | 'tool';

/** A tool as the fuzzer knows it. */
export interface ToolSpec {
  /** The canonical name. */
  readonly name: string;
  readonly bareName: string;
  /** Undefined for the app's own tools. */
  readonly groupId: string | undefined;
  readonly behaviour: Behaviour;
  readonly rule: Rule;
  readonly asker: Asker;
}

/** A group and its tools. */
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

/** What a route supports. */
export interface Needs {
  readonly askers: readonly Asker[];
  /** Results must be JSON, because the route sends them to a browser. */
  readonly isJson: boolean;
}

/** The app's own tools and three to five groups. Tools are named after their behaviour. */
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
