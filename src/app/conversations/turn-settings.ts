import { identify, modelName } from '../../agent/options/index.ts';
import type { Entry } from '../../sessions/index.ts';
import type { StrategyChoice } from '../../tools/strategies/index.ts';
import { ownProperty } from '../../tools/values/index.ts';
import type { AgentFlags } from '../agents/flags/index.ts';
import type { AgentSetUp } from '../agents/index.ts';

/** What the user of a session chooses. */
export interface Choices {
  /** Null for no role. */
  readonly role: string | null;
  /** `provider/name`. Undefined: the flags, the role or the environment decide. */
  readonly model: string | undefined;
  /** Undefined: the flags or the configuration decide. */
  readonly strategy: StrategyChoice | undefined;
  readonly routing: AgentFlags['routing'];
  /** Whether tools are turned on. A role without tools has none all the same. */
  readonly areToolsOn: boolean;
}

export type Choice = Partial<Choices>;

/** What the next turn of a session uses. Changes take effect with the next turn. */
export class TurnSettings {
  readonly #set: AgentSetUp;
  readonly #flags: AgentFlags;
  readonly #overriding: AgentFlags;
  #kept: Choice = {};
  #chosen: Choice = {};

  /** `overriding`: the flags that override what a session has kept. */
  constructor(set: AgentSetUp, flags: AgentFlags, overriding: AgentFlags) {
    this.#set = set;
    this.#flags = flags;
    this.#overriding = overriding;
  }

  get choices(): Choices {
    return this.with({});
  }

  /** Null for no role. */
  get role(): string | null {
    return this.choices.role;
  }

  get strategy(): StrategyChoice | undefined {
    return this.choices.strategy ?? this.#flags.strategy;
  }

  get routing(): AgentFlags['routing'] {
    return this.choices.routing ?? this.#flags.routing;
  }

  /** The name of the model. Undefined if none is given. */
  get model(): string | undefined {
    return modelOf(this.#set, this.choices);
  }

  get areToolsOn(): boolean {
    return this.choices.areToolsOn;
  }

  /** The choices with some of them changed. */
  with(choice: Choice): Choices {
    const { role = null } = this.#flags;
    const first = { role, model: undefined, strategy: undefined, routing: undefined };
    return { ...first, areToolsOn: true, ...this.#kept, ...this.#chosen, ...choice };
  }

  choose(choice: Choice): void {
    this.#chosen = { ...this.#chosen, ...choice };
  }

  /** Another session is used, with these entries. What was chosen before stays for a new session only. */
  follow(entries: readonly Entry[]): void {
    const kept = entries.findLast(({ kind }) => kind === 'settings')?.body;
    const tools = entries.findLast(({ kind }) => kind === 'tools')?.body;
    const { areToolsOn: _, ...chosen } = this.#chosen;
    this.#chosen = kept ? {} : chosen;
    this.#kept = {
      ...(kept ? this.#read(kept) : {}),
      areToolsOn: ownProperty(tools, 'on') !== false,
    };
  }

  #read(kept: Entry['body']): Choice {
    const { role: flag, model, strategy } = this.#overriding;
    const text = (key: string): string | undefined => {
      const value = ownProperty(kept, key);
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const role = flag ?? text('role') ?? null;
    // A session that uses the model of its role goes on without a choice of its own.
    const given = modelOf(this.#set, { role, model });
    const isGiven = given !== undefined && modelName(identify(given)) === text('model');
    const routing = this.#flags.routing ?? this.#set.settings.routing;
    return {
      role,
      model: model !== undefined || isGiven ? undefined : text('model'),
      strategy: strategy === undefined ? (text('strategy') as Choices['strategy']) : undefined,
      routing: routing === undefined ? (text('routing') as Choices['routing']) : undefined,
    };
  }
}

/** The name of the model of these choices. Undefined if none is given. */
export function modelOf(
  set: AgentSetUp,
  { role, model }: Pick<Choices, 'role' | 'model'>,
): string | undefined {
  return model ?? set.modelName(role ?? undefined);
}
