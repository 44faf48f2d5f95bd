import type { Entry } from '../../../sessions/index.ts';
import { own } from '../../../tools/values/index.ts';
import type { AgentFlags } from '../../agents/flags/index.ts';
import type { AgentSetUp } from '../../agents/index.ts';

type Strategy = NonNullable<AgentFlags['strategy']>;
type Routing = NonNullable<AgentFlags['routing']>;

/** What may be chosen in a chat. Null for no role. */
export interface Choice {
  readonly role?: string | null;
  /** `provider/name`. */
  readonly model?: string;
  readonly strategy?: Strategy;
  readonly routing?: Routing;
}

/**
 * What the next turn uses: what was chosen in the chat, else what a flag says, else what the session has kept,
 * else the configuration.
 */
export class ChatSettings {
  readonly #setUp: AgentSetUp;
  readonly #flags: AgentFlags;
  #kept: Choice = {};
  #chosen: Choice = {};
  #areToolsOn = true;

  constructor(setUp: AgentSetUp, flags: AgentFlags) {
    this.#setUp = setUp;
    this.#flags = flags;
  }

  /** Null for no role. */
  get role(): string | null {
    return this.#first('role') ?? null;
  }

  get strategy(): Strategy | undefined {
    return this.#first('strategy') ?? undefined;
  }

  get routing(): Routing | undefined {
    return this.#first('routing') ?? undefined;
  }

  /** Undefined if none is given. */
  get model(): string | undefined {
    return this.#first('model') ?? this.#setUp.modelName(this.role ?? undefined);
  }

  /** Whether tools are turned on. A role without tools has none all the same. */
  get areToolsOn(): boolean {
    return this.#areToolsOn;
  }

  /** What was chosen since the session was opened, besides the model. */
  get chosen(): Omit<Choice, 'model'> {
    const { model: _, ...rest } = this.#chosen;
    return rest;
  }

  choose(choice: Choice): void {
    this.#chosen = { ...this.#chosen, ...choice };
  }

  setTools(on: boolean): void {
    this.#areToolsOn = on;
  }

  /** Another session is shown, with these entries. What was chosen before stays for a new session only. */
  follow(entries: readonly Entry[]): void {
    const kept = entries.findLast(({ kind }) => kind === 'settings');
    this.#kept = (kept?.body ?? {}) as Choice;
    if (kept) this.#chosen = {};
    const tools = entries.findLast(({ kind }) => kind === 'tools');
    this.#areToolsOn = own(tools?.body, 'on') !== false;
  }

  #first<KEY extends keyof Choice>(key: KEY): Choice[KEY] {
    for (const source of [this.#chosen, this.#flags, this.#kept]) {
      const value = source[key];
      if (value !== undefined) return value as Choice[KEY];
    }
    return undefined;
  }
}
