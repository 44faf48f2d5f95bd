import { isDeepStrictEqual } from 'node:util';
import { createAgent } from '@toolfold/agent/internal/agent';
import { turnError } from '@toolfold/agent/internal/events';
import {
  type Agent,
  identify,
  type StampedEvent,
  type UnknownCall,
} from '@toolfold/agent/internal/options';
import { categoriesWith } from '@toolfold/agent/internal/routing';
import type { Session, SessionStore } from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, pick } from '@toolfold/core/internal/values';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import { instructionHooks, type Keys, type LoadedModel } from '../models/index.ts';
import type { Asker } from '../questions/index.ts';
import type { AgentFlags } from '../terminal/index.ts';
import type { AgentSetUp } from './set-up.ts';
import type { Choices, PartialChoices, Settings } from './settings.ts';
import { allowed, foldOf, teamOf } from './tools.ts';

/** What the agents of a session are made of. */
export interface AgentMakerOptions {
  readonly set: AgentSetUp;
  readonly flags: AgentFlags;
  readonly settings: Settings;
  readonly pool: ServerPool;
  /** Gets each key as soon as it is known. */
  readonly keys: Keys;
  /** Undefined if calls that need approval wait in the session. */
  readonly asker: Asker | undefined;
  /** Whether servers can ask the user. */
  readonly canElicit: boolean;
  /** Whether the session outlives the process, so that its results can be read again. */
  readonly isKept: boolean;
  /** Gets warnings about settings that have no effect, and about tools. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Gets lines that the user should read. */
  readonly note?: ((line: string) => void) | undefined;
  /** Waits until the tools of the servers are known, as far as a first turn waits for them. */
  readonly waitForTools?: (() => Promise<unknown>) | undefined;
}

interface UsedModel {
  readonly name: string;
  readonly loaded: LoadedModel;
}

/** An agent in a session that is known or created for it. A created one is removed if there can be no agent. */
export async function agentIn(
  store: Pick<SessionStore, 'remove'>,
  known: Session | undefined,
  create: () => Promise<Session>,
  begin: (session: Session) => Agent,
): Promise<[Session, Agent]> {
  const session = known ?? (await create());
  try {
    return [session, begin(session)];
  } catch (error) {
    if (!known) await store.remove(session.id);
    throw error;
  }
}

/** Makes the agents of a session, and keeps them at what the user has chosen. */
export class AgentMaker {
  readonly #options: AgentMakerOptions;
  #model: UsedModel | undefined;
  #applied: Choices | undefined;

  constructor(options: AgentMakerOptions) {
    this.#options = options;
  }

  /** Loads what an agent needs, and resolves with what creates it. Rejects with `invalid-option` without a model. */
  async prepare(): Promise<(session: Session) => Agent> {
    const { choices } = this.#options.settings;
    const used = await this.#load(choices);
    const make = await this.#prepare(used);
    return (session) => {
      const agent = make(session);
      this.#configure(agent, choices, used);
      return agent;
    };
  }

  /** The calls of a session, those of its subagents included, whose outcome is unknown. Rejects as `prepare`. */
  async unknown(session: Session): Promise<readonly UnknownCall[]> {
    const used = await this.#load(this.#options.settings.choices);
    // The agent of a turn gives its warnings. This one is made only to look.
    const make = await this.#prepare(used, () => {});
    return make(session).unknown();
  }

  async #prepare(
    used: UsedModel,
    onWarning = this.#options.onWarning,
  ): Promise<(session: Session) => Agent> {
    const { set, flags, keys, pool, waitForTools } = this.#options;
    const { asker, canElicit, isKept } = this.#options;
    const { model, address } = used.loaded;
    const team = await teamOf(set, model, keys);
    await waitForTools?.();
    const { approvals = {}, categories = {}, routing } = set.settings;
    const limits = pick(set.settings, 'maxRounds', 'maxRequests', 'maxTokens');
    return (session) => {
      const { own, ofSubagents: hooks } = instructionHooks(set.instructionsFrom, session);
      const subagents = team && { ...team, options: { ...team.options, hooks } };
      return createAgent({
        ...{ model, address, session, roles: set.roles, models: set.models, onWarning },
        hooks: own,
        fold: foldOf(set, { pool, subagents: team, isKept, onWarning, hide: keys.hide }),
        role: flags.role,
        ...{ categories: categoriesWith(categories), routing, ...limits, subagents },
        approvals: {
          ...{ mode: approvals.mode, allow: allowed(set.settings, flags) },
          ...{ ask: asker?.approve, onAlways: asker?.onAlways },
        },
        onUnknown: asker?.decide,
        elicitation: asker && canElicit ? { ask: asker.elicit } : false,
      });
    };
  }

  /**
   * Makes what was chosen since, and this choice, valid for the next turn of the agent. Rejects without a model, and
   * with `unknown-role`. Then nothing has changed.
   */
  async apply(agent: Agent | undefined, choice: PartialChoices = {}): Promise<void> {
    const choices = this.#options.settings.with(choice);
    if (!agent) {
      if (choice.model !== undefined) await this.#load(choices);
    } else if (!isDeepStrictEqual(choices, this.#applied))
      this.#configure(agent, choices, await this.#load(choices));
  }

  /** The events of a turn, with advice where the provider refuses the key, and where a request does not fit. */
  async *events(turn: AsyncIterable<StampedEvent>): AsyncIterable<StampedEvent> {
    const { loaded } = this.#model ?? {};
    const { window } = loaded ?? {};
    let size = 0;
    for await (const event of turn) {
      if (event.type === 'request') {
        size = event.tokens.total;
        window?.begin();
      }
      if (window && event.type === 'usage' && event.request !== undefined) {
        const warning = await window.warningOf(size);
        if (warning !== undefined) this.#options.note?.(warning);
      }
      const isRefused =
        event.type === 'end' && ownProperty(event.error, 'code') === 'model-refused';
      if (!isRefused || !loaded || !(event.error instanceof ToolfoldError)) yield event;
      else {
        const { model, keyAdvice } = loaded;
        yield { ...event, error: turnError(event.error.cause, identify(model), keyAdvice) };
      }
    }
  }

  async #load(choices: Choices): Promise<UsedModel> {
    const { set, keys, settings } = this.#options;
    const name = settings.modelOf(choices);
    if (name === undefined) throw await set.directory.noModel();
    if (this.#model?.name === name) return this.#model;
    return { name, loaded: await keys.load(set, name) };
  }

  #configure(agent: Agent, choices: Choices, used: UsedModel): void {
    const { role, strategy, routing, areToolsOn } = choices;
    const { model, address } = used === this.#model ? {} : used.loaded;
    agent.configure({ role, strategy, routing, model, address });
    agent.setTools(areToolsOn);
    this.#model = used;
    this.#applied = choices;
  }
}
