import { rolesWith } from '@toolfold/agent/internal/routing';
import type {
  CacheSetting,
  ModelSettings,
  RoleSettings,
  ToolfoldSettings,
} from '@toolfold/config/internal/settings';
import { viewOf } from '@toolfold/core/internal/registry';
import { pick } from '@toolfold/core/internal/values';
import type { ProjectEntry, ToolfoldConfig } from '@toolfold/mcp/internal/config';
import {
  instructionLine,
  type LoadedModel,
  ModelDirectory,
  readInstructions,
} from '../models/index.ts';
import { loadConfig, type TrustHost } from '../servers/index.ts';
import type { AgentFlags, CacheFlag } from '../terminal/index.ts';

/** What the flags and the configuration decide about an agent, before anything starts. */
export interface AgentSetUp {
  /** Undefined if no file was found. */
  readonly config: ToolfoldConfig | undefined;
  /** The file in which settings are saved. It may not exist yet. */
  readonly settingsFile: string;
  /** The folder in which a block of that file needs a yes. Undefined if it needs none. */
  readonly trustFolder: string | undefined;
  /** Entries of the project's files that have no effect, because nobody has said yes to them. */
  readonly untrusted: readonly ProjectEntry[];
  /** Those of the file. The flags override them. */
  readonly settings: ToolfoldSettings;
  /** The built-in roles and those of the configuration. The flags override them. */
  readonly roles: Readonly<Record<string, RoleSettings>>;
  /** The settings of each model. The flags override them. */
  readonly models: Readonly<Record<string, ModelSettings>>;
  /** The name of the model for this role. Undefined if none is given. */
  readonly modelName: (role: string | undefined) => string | undefined;
  /** The folder whose files are instructions. Undefined if they are off. */
  readonly instructionsFrom: string | undefined;
  /** The models that can be chosen. */
  readonly directory: ModelDirectory;
  /** Loads a model by its name. Rejects as `modelLoader` does. */
  readonly load: (name: string) => Promise<LoadedModel>;
}

/**
 * Reads the configuration of a project in `folder`. Rejects with `invalid-config` for a malformed file, and
 * with `unknown-role`. `host` reads the name of the file that is used, and is asked
 * about entries that are not trusted.
 */
export async function readSetUp(
  flags: AgentFlags,
  host: TrustHost,
  folder: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): Promise<AgentSetUp> {
  const { config, settingsFile, trustFolder, untrusted } = await loadConfig(
    flags.config,
    host,
    folder,
    flags.projectConfig,
  );
  const settings = withFlags(config?.settings ?? {}, flags);
  const { models = {}, providers } = settings;
  const roles = eachWith(rolesWith(settings.roles ?? {}), pick(flags, 'maxRounds'));
  viewOf(roles, flags.role);
  const file = config?.file ?? settingsFile;
  const named = (role: string | undefined) => flags.model ?? roles[role ?? '']?.model;
  const { baseUrl } = flags;
  const given = named(flags.role);
  const directory = await ModelDirectory.open({ providers, baseUrl, env, file, named: given });
  const modelName = (role: string | undefined) => directory.nameOf(named(role));
  const isOff = flags.instructions === false || settings.projectInstructions === false;
  const instructionsFrom = isOff ? undefined : folder;
  const line = isOff ? undefined : instructionLine(await readInstructions(folder));
  if (line !== undefined) host.note(line);
  const { load } = directory;
  const parts = { settings, roles, models, modelName, directory, load, instructionsFrom };
  return { config, settingsFile, trustFolder, untrusted, ...parts };
}

/** The settings with what the flags say in the place of what the file says, also for single models. */
function withFlags(
  { models = {}, subagents = false, ...settings }: ToolfoldSettings,
  flags: AgentFlags,
): ToolfoldSettings {
  const hasTeam = flags.subagents ?? subagents !== false;
  const cache = flags.cache === undefined ? {} : { cache: cacheOfFlag(flags.cache) };
  return {
    ...settings,
    ...pick(flags, 'strategy', 'routing', 'maxRounds'),
    ...cache,
    models: eachWith(models, { ...pick(flags, 'strategy', 'maxRounds'), ...cache }),
    subagents: hasTeam && (subagents || true),
  };
}

function cacheOfFlag(flag: CacheFlag): CacheSetting {
  if (flag === 'off') return false;
  return flag === 'auto' ? flag : { ttl: flag };
}

/**
 * The set-up of a conversation in which the user pauses: what it begins with is kept for an hour, unless the
 * configuration says something else.
 */
export function withPauses(set: AgentSetUp): AgentSetUp {
  const models = Object.entries(set.models).map(([name, { cache, ...model }]) => [
    name,
    cache === undefined ? model : { ...model, cache: forAnHour(cache) },
  ]);
  const settings = { ...set.settings, cache: forAnHour(set.settings.cache) };
  return { ...set, settings, models: Object.fromEntries(models) };
}

function forAnHour(cache: CacheSetting = 'auto'): CacheSetting {
  return cache === false ? cache : { ttl: '1h', ...(cache === 'auto' ? {} : cache) };
}

/** The members, each with `more` in the place of what it says itself. */
function eachWith<T extends object>(
  members: Readonly<Record<string, T>>,
  more: Partial<T>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, { ...member, ...more }]),
  );
}
