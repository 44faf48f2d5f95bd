import type { ExposureRules } from '@toolfold/core/internal/registry';
import type { CatalogOptions } from '@toolfold/core/internal/request';
import { type Exposure, MIN_RESULT_LENGTH } from '@toolfold/core/internal/tool';
import * as z from '../schemas.ts';
import { type SubagentSettings, subagents } from './agents.ts';
import {
  type CacheSetting,
  cache,
  type ModelSettings,
  model,
  type ProviderSettings,
  provider,
} from './models.ts';
import {
  type ApprovalSettings,
  approvals,
  type CategorySettings,
  categories,
  type RoleSettings,
  role,
  type StrategySetting,
  strategy,
} from './tools.ts';
import {
  count,
  flag,
  name,
  objectOf,
  oneOf,
  recordOf,
  type Shape,
  text,
  wholeNumber,
} from './values.ts';

/**
 * Keyword routing. `off`: none. `preload`: no tool is hidden and the prefix does not change; up to
 * three schemas are added at the end of the prompt. `narrow`: only tools of matched categories are
 * declared and listed in the catalog. If no category matches there are no tools, not even
 * `subagents`. A matched category stays active. Each new one starts an epoch, which loses the cached
 * prefix.
 */
export type RoutingMode = 'off' | 'preload' | 'narrow';

/** Settings of a server, apart from its entry under `mcpServers`. */
export interface ServerSettings {
  /** Whether its annotations are trusted: its read-only tools run without approval. */
  readonly trusted?: boolean | undefined;
  /** Whether it may use the host's model, and how much of it during one call of a tool. */
  readonly sampling?: boolean | SamplingSettings | undefined;
}

/** The limits for a server that uses the host's model, for each call of a tool. */
export interface SamplingSettings {
  /** The maximum number of requests. Default: 10. */
  readonly maxCalls?: number | undefined;
  /** The maximum number of tokens of all requests and answers. Default: 20,000. */
  readonly maxTokens?: number | undefined;
}

const serveModes = ['bridge', 'dispatch', 'eager', 'passthrough'] as const;

/** Settings of the gateway. */
interface ServeSettings {
  readonly mode?: (typeof serveModes)[number] | undefined;
  /** Whether arguments of calls through a bridge are checked. Default: true. */
  readonly check?: boolean | undefined;
}

/** The checked `toolfold` block of a configuration file. A key that is not set is absent. */
export interface ToolfoldSettings {
  readonly strategy?: StrategySetting;
  readonly exposure?: ExposureRules;
  readonly catalog?: CatalogOptions;
  readonly cache?: CacheSetting;
  readonly roles?: Readonly<Record<string, RoleSettings>>;
  /** By name. `false` removes a built-in category. */
  readonly categories?: CategorySettings;
  readonly routing?: RoutingMode;
  /** Whether AGENTS.md, else CLAUDE.md, of the project is read. `true` if left out. */
  readonly projectInstructions?: boolean;
  readonly maxRounds?: number;
  readonly maxRequests?: number;
  readonly maxTokens?: number;
  /** Characters. */
  readonly maxResultLength?: number;
  /** By `provider/name` or by the bare name. */
  readonly models?: Readonly<Record<string, ModelSettings>>;
  /** By the name that stands before the slash in `provider/name`. */
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** Whether a model makes titles of sessions, or which model. `false` if left out. */
  readonly titles?: boolean | string;
  readonly approvals?: ApprovalSettings;
  /** `true`: subagents with default settings. */
  readonly subagents?: SubagentSettings | boolean;
  readonly servers?: Readonly<Record<string, ServerSettings>>;
  /** The currency of the prices: a code of ISO 4217. */
  readonly currency?: string;
  /** How the chat says on a terminal without focus that a turn has ended or that it asks. */
  readonly notify?: Notify;
  readonly serve?: ServeSettings;
}

/** `bell`: the bell of the terminal. `desktop`: OSC 9, which some terminals show as a message. */
export type Notify = 'bell' | 'desktop' | 'off';

const notifications: readonly Notify[] = ['bell', 'desktop', 'off'];

const exposures: readonly Exposure[] = ['inline', 'deferred', 'hidden'];

const routingModes: readonly RoutingMode[] = ['off', 'preload', 'narrow'];

/** `none` in a file becomes infinite. */
const budget: z.ZodMiniType<number> = z.union(
  [
    count,
    z.pipe(
      z.literal('none'),
      z.transform(() => Number.POSITIVE_INFINITY),
    ),
  ],
  'a whole number of at least 1, or none',
);

const serve = objectOf<ServeSettings>({
  mode: oneOf(serveModes).with(
    z.describe(
      'How toolfold serve presents tools: bridge (default) with search and a catalog of names, dispatch, eager with all schemas, or passthrough for one server.',
    ),
  ),
  check: flag.with(z.describe('false: arguments of calls through a bridge are not checked.')),
});

const catalog = objectOf<CatalogOptions>({
  header: text.with(z.describe('Text above the names. An empty text means the default.')),
  budget: budget.with(
    z.describe(
      'The maximum number of tokens of the catalog, or none. Default: the smaller of 4,000 and 5 % of the context window.',
    ),
  ),
  hints: flag.with(z.describe('false: the catalog never shows one-line hints.')),
});

const samplingShape: Shape<SamplingSettings> = {
  maxCalls: count.with(z.describe('The maximum number of requests during one call. Default: 10.')),
  maxTokens: count.with(
    z.describe(
      'The maximum number of tokens of requests and answers during one call. Default: 20,000.',
    ),
  ),
};

const sampling: z.ZodMiniType<boolean | SamplingSettings> = z.union(
  [objectOf<SamplingSettings>(samplingShape), z.boolean()],
  'an object, true or false',
);

const server = objectOf<ServerSettings>({
  trusted: flag.with(
    z.describe('Whether its annotations are trusted: read-only tools run without approval.'),
  ),
  sampling: sampling.with(
    z.describe("Whether it may use the host's model, or the limits of that. Default: false."),
  ),
});

const CURRENCY = 'three capital letters, such as EUR';

export const settingsShape: Shape<ToolfoldSettings> = {
  strategy: strategy.with(
    z.describe(
      'How tools are presented to the model. Default: auto. false: all schemas are declared at once.',
    ),
  ),
  exposure: recordOf(oneOf(exposures)).with(
    z.describe('inline, deferred or hidden, by glob. The last glob that matches a tool wins.'),
  ),
  catalog: catalog.with(z.describe('The list of names that the model sees.')),
  cache: cache.with(
    z.describe(
      'Whether requests ask for the prompt cache of the provider: auto (default), false, or { ttl, key }.',
    ),
  ),
  roles: recordOf(role).with(
    z.describe('Roles by name. A key of a built-in role replaces only that key.'),
  ),
  categories: categories.with(
    z.describe('Subjects for keyword routing, by name. false removes a built-in one.'),
  ),
  routing: oneOf(routingModes).with(
    z.describe(
      'Keyword routing: preload (default) adds up to three schemas of matched tools, narrow hides all other tools, off does nothing.',
    ),
  ),
  projectInstructions: flag.with(
    z.describe('Whether AGENTS.md, else CLAUDE.md, of the project is system text. Default: true.'),
  ),
  maxRounds: count.with(z.describe('The maximum number of tool rounds in a turn. Default: 100.')),
  maxRequests: count.with(
    z.describe('The maximum number of requests in a turn. Default: 50 more than the rounds.'),
  ),
  maxTokens: count.with(
    z.describe(
      'The tokens of prompts and answers after which a turn calls no more tools. Default: 20,000,000.',
    ),
  ),
  maxResultLength: wholeNumber(MIN_RESULT_LENGTH).with(
    z.describe(
      'The maximum number of characters that the model sees of a result of a tool. Default: 100,000.',
    ),
  ),
  models: recordOf(model).with(
    z.describe('Settings of models, by provider/name or by the bare name.'),
  ),
  providers: recordOf(provider).with(
    z.describe('Providers of models, by the name that stands before the slash in provider/name.'),
  ),
  titles: z
    .union([flag, name], 'true, false, or a model as provider/name')
    .with(
      z.describe(
        'Whether a model makes titles of sessions between turns, or which one. Default: false.',
      ),
    ),
  approvals: approvals.with(z.describe("Which calls need the user's approval.")),
  subagents: subagents.with(z.describe('Subagents: true, false, or their settings.')),
  servers: recordOf(server).with(
    z.describe('Settings of MCP servers, by their names in this file.'),
  ),
  currency: z
    .string(CURRENCY)
    .check(z.regex(/^[A-Z]{3}$/, CURRENCY))
    .with(z.describe('The currency of the prices of models, such as EUR. Default: USD.')),
  notify: oneOf(notifications).with(
    z.describe(
      'How the chat says that it has ended a turn or asks, while the terminal has no focus: bell (default), desktop (OSC 9), off.',
    ),
  ),
  serve: serve.with(z.describe('Settings of the gateway, toolfold serve.')),
};

/** The settings whose keys are names chosen by the user. */
export const NAMED: readonly (keyof ToolfoldSettings)[] = [
  'exposure',
  'roles',
  'categories',
  'models',
  'providers',
  'servers',
];

export const settings: z.ZodMiniType<ToolfoldSettings> = objectOf<ToolfoldSettings>(
  settingsShape,
).with(z.describe('Settings of Toolfold.'));
