import type { Agent, ElicitationOptions } from '../../../agent/index.ts';
import type { ServerPool } from '../../../mcp/index.ts';
import {
  createSession,
  openSession,
  type Session,
  type SessionStore,
} from '../../../sessions/index.ts';
import type { AgentFlags } from '../../agents/flags/index.ts';
import {
  type AgentSetUp,
  agentOf,
  foldOf,
  type LoadedModel,
  noModel,
  teamOf,
} from '../../agents/index.ts';
import { newTitle } from '../../sessions/index.ts';
import { type Choices, modelOf } from '../settings/index.ts';
import type { Permissions } from './permissions.ts';

/** What an agent of a session is made of. */
export interface TalkParts extends Permissions {
  readonly id: string;
  readonly folder: string;
  readonly store: SessionStore;
  readonly set: AgentSetUp;
  readonly flags: AgentFlags;
  readonly pool: ServerPool;
  readonly onAlways: (name: string) => void;
  /** Asks the user for what a server wants to know. Undefined if the editor cannot. */
  readonly elicit: NonNullable<ElicitationOptions['ask']> | undefined;
  readonly onWarning: (text: string) => void;
  /** Gets each key as soon as it is known. It must never be shown. */
  readonly onKey: (key: string) => void;
}

/** An agent with its session, and the model that it uses. */
export class Talk {
  readonly session: Session;
  readonly agent: Agent;
  readonly #parts: TalkParts;
  #model: LoadedModel;
  #applied: Choices;
  #modelName: string;

  private constructor(
    parts: TalkParts,
    made: { readonly session: Session; readonly agent: Agent },
    now: { readonly model: LoadedModel; readonly modelName: string; readonly choices: Choices },
  ) {
    this.#parts = parts;
    this.session = made.session;
    this.agent = made.agent;
    this.#model = now.model;
    this.#modelName = now.modelName;
    this.#applied = now.choices;
  }

  /**
   * Opens the session, or creates it with the first words of the user as its title. Rejects without a
   * model, and as `createAgent` does; then nothing is created.
   */
  static async open(parts: TalkParts, choices: Choices, words: string): Promise<Talk> {
    const { id, folder, store, set, pool, elicit, ask, onUnknown, onAlways, onWarning } = parts;
    const modelName = modelOf({ set, choices });
    if (modelName === undefined) throw noModel();
    const model = await loaded(parts, modelName);
    const flags = flagsOf(parts.flags, choices);
    const team = await teamOf(set, flags, model.model);
    for (const key of team?.keys ?? []) parts.onKey(key);
    const isNew = (await store.get(id)) === undefined;
    const session = isNew
      ? await createSession(store, { id, folder, ...newTitle(words) })
      : await openSession(store, id);
    try {
      const agent = agentOf(set, flags, {
        ...{ model: model.model, team, session, ask, onUnknown, onAlways, onWarning },
        fold: foldOf(set, flags, { pool, team }),
        elicitation: elicit ? { ask: elicit } : false,
      });
      configure(agent, choices);
      return new Talk(parts, { session, agent }, { model, modelName, choices });
    } catch (error) {
      if (isNew) await store.remove(id);
      throw error;
    }
  }

  get model(): LoadedModel {
    return this.#model;
  }

  /** Whether another process has written the session since. */
  async isOutdated(): Promise<boolean> {
    const record = await this.#parts.store.get(this.session.id);
    return record?.seq !== (this.session.entries.at(-1)?.seq ?? 0);
  }

  /** Makes changed choices valid for the next turn. Rejects without a model, and with `unknown-role`. */
  async apply(choices: Choices): Promise<void> {
    if (choices === this.#applied) return;
    const { set } = this.#parts;
    const name = modelOf({ set, choices });
    if (name === undefined) throw noModel();
    if (name !== this.#modelName) {
      const model = await loaded(this.#parts, name);
      this.agent.configure({ model: model.model });
      this.#model = model;
      this.#modelName = name;
    }
    configure(this.agent, choices);
    this.#applied = choices;
  }
}

async function loaded({ set, onKey }: TalkParts, name: string): Promise<LoadedModel> {
  const model = await set.load(name);
  if (model.key !== undefined) onKey(model.key);
  return model;
}

function configure(agent: Agent, { role, strategy, areToolsOn }: Choices): void {
  agent.configure({ role: role ?? null, ...(strategy === undefined ? {} : { strategy }) });
  agent.setTools(areToolsOn);
}

/** The flags with what was chosen in the session. */
function flagsOf({ role: _, ...flags }: AgentFlags, { role }: Choices): AgentFlags {
  return { ...flags, ...(role === undefined ? {} : { role }) };
}
