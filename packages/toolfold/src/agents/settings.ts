import { textsIn } from '@toolfold/agent/internal/entries';
import { publicUrl } from '@toolfold/agent/internal/events';
import { identify, modelName, settingsOf } from '@toolfold/agent/internal/options';
import type { Entry, Session } from '@toolfold/agent/internal/sessions';
import type { ModelSettings } from '@toolfold/config/internal/settings';
import { splitModelName } from '@toolfold/core/internal/models';
import type { StrategyChoice } from '@toolfold/core/internal/tool';
import { ownProperty, pick } from '@toolfold/core/internal/values';
import { shortId } from '../stored-sessions/index.ts';
import type { AgentFlags } from '../terminal/index.ts';
import type { AgentSetUp } from './set-up.ts';

/** What can be chosen for the turns of a session. */
export interface Choices {
  /** Null for no role. */
  readonly role: string | null;
  /** `provider/name`. Undefined: the role or the environment decides. */
  readonly model: string | undefined;
  /** Undefined: the configuration decides. */
  readonly strategy: StrategyChoice | undefined;
  readonly routing: AgentFlags['routing'];
  /** Whether tools are turned on. A role without tools has none all the same. */
  readonly areToolsOn: boolean;
}

export type PartialChoices = Partial<Choices>;

/** Where settings come from. */
interface SettingSources {
  readonly set: Pick<AgentSetUp, 'modelName' | 'settings'>;
  readonly flags: AgentFlags;
  /** Whether the flags were written once for all sessions, such as those of an editor. */
  readonly areFlagsStanding?: boolean | undefined;
}

/** The choices that flags and the settings of a session have. */
const NAMES = ['role', 'model', 'strategy', 'routing'] as const;

/** What is used where nothing else is said. The configuration and the environment decide where it is undefined. */
const DEFAULTS: Choices = {
  ...{ role: null, model: undefined, strategy: undefined, routing: undefined },
  areToolsOn: true,
};

/**
 * What the next turn of a session uses. What the user has chosen in this process goes before the flags, they go before
 * what the session has kept, and all go before the configuration. Only standing flags go behind what was kept.
 */
export class Settings {
  readonly #sources: SettingSources;
  #kept: PartialChoices = {};
  #chosen: PartialChoices = {};

  constructor(sources: SettingSources) {
    this.#sources = sources;
  }

  /** What was chosen, by the user or by flags, now or in an earlier process. */
  get choices(): Choices {
    return this.with({});
  }

  /** The choices with some of them changed. */
  with(choice: PartialChoices): Choices {
    const { flags, areFlagsStanding } = this.#sources;
    const given: PartialChoices = pick(flags, ...NAMES);
    const flagged = areFlagsStanding ? [given, this.#kept] : [this.#kept, given];
    return [...flagged, this.#chosen, choice].reduce<Choices>(over, DEFAULTS);
  }

  /** The name of the model of these choices. Undefined if none is given. */
  modelOf({ role, model }: Pick<Choices, 'role' | 'model'> = this.choices): string | undefined {
    return model ?? this.#sources.set.modelName(role ?? undefined);
  }

  /** Null for no role. */
  get role(): string | null {
    return this.choices.role;
  }

  get strategy(): StrategyChoice | undefined {
    return this.strategyOf() ?? this.#sources.set.settings.strategy;
  }

  /** The strategy of these choices, or the one that the configuration gives their model. */
  strategyOf(choices: Choices = this.choices): StrategyChoice | undefined {
    return choices.strategy ?? this.#ofModel(choices).strategy;
  }

  get routing(): AgentFlags['routing'] {
    return this.choices.routing ?? this.#sources.set.settings.routing;
  }

  get areToolsOn(): boolean {
    return this.choices.areToolsOn;
  }

  /** Tokens of the window of the model, if they are known. */
  get contextWindow(): number | undefined {
    return this.#ofModel(this.choices).contextWindow;
  }

  #ofModel(choices: Choices): ModelSettings {
    const { models = {} } = this.#sources.set.settings;
    return settingsOf(models, identify(this.modelOf(choices) ?? ''));
  }

  choose(choice: PartialChoices): void {
    this.#chosen = { ...this.#chosen, ...choice };
  }

  /**
   * Another session is used, with these entries. `goesOn`: it continues this one, as a fork or a new session does, so
   * that what holds now holds there too.
   */
  follow(entries: readonly Entry[], goesOn: boolean): void {
    const kept = entries.findLast(({ kind }) => kind === 'settings')?.body;
    const tools = entries.findLast(({ kind }) => kind === 'tools')?.body;
    const { areToolsOn: _, ...now } = this.choices;
    this.#chosen = goesOn || !kept ? now : {};
    this.#kept = {
      ...(kept ? this.#read(kept) : {}),
      areToolsOn: ownProperty(tools, 'on') !== false,
    };
  }

  #read(kept: Entry['body']): PartialChoices {
    const { flags, areFlagsStanding } = this.#sources;
    const { role = null, model, strategy, routing } = textsIn(kept, ...NAMES);
    // A session that uses the model of its role, or the strategy of its model, goes on without a choice of its own.
    const used = areFlagsStanding ? role : (flags.role ?? role);
    const given = this.modelOf({ role: used, model: flags.model });
    const isGiven = given !== undefined && modelName(identify(given)) === model;
    const isOwn = strategy === this.strategyOf({ ...DEFAULTS, role, model });
    return {
      ...{ role, model: isGiven ? undefined : model },
      ...({ strategy: isOwn ? undefined : strategy, routing } as PartialChoices),
    };
  }
}

/** The choices with those of a stronger source. What that one leaves undefined stays. */
function over(choices: Choices, stronger: PartialChoices): Choices {
  return { ...choices, ...pick(stronger, ...NAMES, 'areToolsOn') };
}

export type WayBack = 'chat -r' | 'run --session';

/** What a session was used with. */
interface UsedWith {
  /** Undefined before the first turn. */
  readonly session: Pick<Session, 'id' | 'entries'> | undefined;
  readonly flags: AgentFlags;
  readonly set: Pick<AgentSetUp, 'modelName'>;
  readonly settings: Pick<Settings, 'modelOf' | 'role'>;
}

/**
 * The command that goes on with a session in the same place: with the flags that the session does not keep itself,
 * written for a shell. What runs without a question (`--allow`) is not carried, and of an address no key.
 */
export function wayBackTo(command: WayBack, used: UsedWith): string {
  const words = [shortId(used.session?.id ?? ''), ...flagsOf(used)].map(quoted);
  return ['toolfold', command, ...words].join(' ');
}

/** That command for a session that is not open: with the address that its last turn used, which it does not keep. */
export function storedWayBack(command: WayBack, session: Pick<Session, 'id' | 'entries'>): string {
  const kept = session.entries.findLast(({ kind }) => kind === 'settings')?.body ?? {};
  const { model, address } = textsIn(kept, 'model', 'address');
  const flags = { model, baseUrl: address };
  const usual = { modelName: () => undefined };
  return wayBackTo(command, {
    ...{ session, flags, set: usual },
    settings: { modelOf: () => model, role: null },
  });
}

function flagsOf({ session, flags, set, settings }: UsedWith): readonly string[] {
  const { config, baseUrl, cache, maxRounds, instructions, subagents } = flags;
  const model = settings.modelOf();
  const named = flags.model ?? set.modelName(flags.role);
  // The address is that of the provider of the model that was named first.
  const isAddressUsed = baseUrl !== undefined && providerOf(model) === providerOf(named);
  const kept = session?.entries.findLast(({ kind }) => kind === 'settings')?.body ?? {};
  const isKept = textsIn(kept, 'model').model === model;
  return [
    ...(config === undefined ? [] : ['--config', config]),
    ...(model !== undefined && (isAddressUsed || !isKept) ? ['--model', model] : []),
    ...(isAddressUsed ? ['--base-url', publicUrl(baseUrl)] : []),
    ...(cache === undefined ? [] : ['--cache', cache]),
    ...(maxRounds === undefined ? [] : ['--max-rounds', String(maxRounds)]),
    ...(instructions === false ? ['--no-instructions'] : []),
    ...(subagents === undefined ? [] : [subagents ? '--subagents' : '--no-subagents']),
  ];
}

function providerOf(model: string | undefined): string | undefined {
  return model === undefined ? undefined : splitModelName(model).provider;
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
