import { isDeepStrictEqual } from 'node:util';
import type { Agent, StampedEvent } from '../../agent/index.ts';
import type { Session } from '../../sessions/index.ts';
import type { AgentFlags } from '../agents/flags/index.ts';
import {
  type AgentParts,
  type AgentSetUp,
  agentOf,
  type Keys,
  type LoadedModel,
  noModel,
  teamOf,
  withKeyAdvice,
} from '../agents/index.ts';
import type { AgentSource } from './talk.ts';
import { type Choice, type Choices, modelOf, type TurnSettings } from './turn-settings.ts';

/** What the agents of a session are made of, and how their user is asked. */
export interface AgentMakerOptions extends Omit<AgentParts, 'session' | 'model' | 'team'> {
  readonly set: AgentSetUp;
  readonly flags: AgentFlags;
  readonly settings: TurnSettings;
  /** Gets each key as soon as it is known. */
  readonly keys: Keys;
  /** Waits until the tools of the servers are known, as far as a first turn waits for them. */
  readonly waitForTools?: () => Promise<unknown>;
}

/** Makes the agents of a session, and keeps them at what the user has chosen. */
export class AgentMaker implements AgentSource {
  readonly #options: AgentMakerOptions;
  #model: { readonly name: string; readonly loaded: LoadedModel } | undefined;
  #applied: Choices | undefined;

  constructor(options: AgentMakerOptions) {
    this.#options = options;
  }

  async prepare(): Promise<(session: Session) => Agent> {
    const { set, flags, keys, settings, waitForTools, ...parts } = this.#options;
    const { choices } = settings;
    const used = await this.#load(modelOf(set, choices));
    const { model } = used.loaded;
    const team = await teamOf(set, flags, model);
    keys.add(...(team?.keys ?? []));
    await waitForTools?.();
    return (session) => {
      const agent = agentOf(set, flags, { ...parts, model, team, session });
      configure(agent, choices);
      this.#model = used;
      this.#applied = choices;
      return agent;
    };
  }

  /** Rejects without a model, and with `unknown-role`. */
  async apply(agent: Agent, choices: Choices = this.#options.settings.choices): Promise<void> {
    if (isDeepStrictEqual(choices, this.#applied)) return;
    const used = await this.#load(modelOf(this.#options.set, choices));
    configure(agent, choices, used === this.#model ? undefined : used.loaded);
    this.#model = used;
    this.#applied = choices;
  }

  /**
   * Changes what the next turn uses. Rejects with the errors of the model, the role and the agent: then
   * nothing has changed.
   */
  async choose(choice: Choice, agent: Agent | undefined): Promise<void> {
    const { settings } = this.#options;
    if (agent) await this.apply(agent, settings.with(choice));
    else if (choice.model !== undefined) await this.#load(choice.model);
    settings.choose(choice);
  }

  events(turn: AsyncIterable<StampedEvent>): AsyncIterable<StampedEvent> {
    const { loaded } = this.#model ?? {};
    return loaded ? withKeyAdvice(turn, loaded.model, loaded.keyAdvice) : turn;
  }

  async #load(name: string | undefined) {
    if (name === undefined) throw noModel();
    if (this.#model?.name === name) return this.#model;
    const { set, keys } = this.#options;
    return { name, loaded: await keys.load(set, name) };
  }
}

function configure(
  agent: Agent,
  { role, strategy, routing, areToolsOn }: Choices,
  changed?: LoadedModel,
): void {
  agent.configure({ role, strategy, routing, model: changed?.model });
  agent.setTools(areToolsOn);
}
