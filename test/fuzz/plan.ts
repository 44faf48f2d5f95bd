import type { StrategyChoice } from '../../packages/core/src/index.ts';
import type { NativeForm } from '../../packages/core/src/models.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { Random } from './random.ts';
import { CHANGES, INTERRUPTIONS, USER_ACTIONS } from './turns.ts';

/** How an app runs the conversation. */
export type Route = 'agent' | 'generateText' | 'streamText' | 'ToolLoopAgent' | 'UI messages';

/** The setting of a whole session. */
export interface Setting {
  readonly endpoint: Endpoint;
  readonly strategy: StrategyChoice;
  /** The provider's own form, if the strategy is `native`. */
  readonly form: NativeForm | undefined;
  readonly route: Route;
  readonly mode: 'always' | 'never';
  readonly routing: 'off' | 'preload';
}

/** The plan of one turn: names of rows, and the seed of everything drawn in the turn. */
export interface Step {
  readonly change: string;
  readonly action: string;
  readonly interruption: string;
  readonly seed: number;
}

/** A whole session as data. The same plan gives the same session. */
export interface Plan {
  readonly seed: number;
  readonly setting: Setting;
  readonly steps: readonly Step[];
}

const LONGEST_SESSION = 60;

const ROUTES: readonly { readonly route: Route; readonly weight: number }[] = [
  { route: 'agent', weight: 5 },
  { route: 'generateText', weight: 1 },
  { route: 'streamText', weight: 2 },
  { route: 'ToolLoopAgent', weight: 2 },
  { route: 'UI messages', weight: 3 },
];

const STRATEGIES: readonly { readonly strategy: StrategyChoice; readonly weight: number }[] = [
  { strategy: 'dispatch', weight: 4 },
  { strategy: 'native', weight: 5 },
  { strategy: 'bridge', weight: 3 },
  { strategy: 'inject', weight: 2 },
  { strategy: 'lazy', weight: 2 },
  { strategy: 'eager', weight: 2 },
  { strategy: 'auto', weight: 2 },
];

/** The session of a seed. */
export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const setting = settingOf(random.fork('setting'));
  const drawn = random.fork('steps');
  const count = drawn.chance(0.3) ? drawn.int(20, LONGEST_SESSION) : drawn.int(3, 20);
  const steps = Array.from({ length: count }, () => ({
    change: drawn.weighted(CHANGES).name,
    action: drawn.weighted(USER_ACTIONS).name,
    interruption: drawn.weighted(INTERRUPTIONS).name,
    seed: drawn.int(0, 2 ** 31),
  }));
  return { seed, setting, steps };
}

function settingOf(random: Random): Setting {
  const endpoint = random.weighted(ENDPOINTS);
  const { strategy } = random.weighted(STRATEGIES);
  const native = strategy === 'native' && endpoint.forms.length > 0;
  return {
    endpoint,
    strategy,
    form: native ? random.pick(endpoint.forms) : undefined,
    route: random.weighted(ROUTES).route,
    mode: random.chance(0.2) ? 'always' : 'never',
    routing: random.pick(['off', 'preload']),
  };
}
