import type { z } from 'zod';
import type { ExposureRules } from '../../tools/access/index.ts';
import type { CatalogOptions } from '../../tools/catalog/index.ts';
import type { Exposure } from '../../tools/tool/index.ts';
import { type ApprovalSettings, approvals } from './approval.ts';
import { type CategorySettings, categories } from './category.ts';
import { type ModelSettings, model } from './model.ts';
import { type RoleSettings, role } from './role.ts';
import { objectOf, recordOf, type Shape } from './shapes.ts';
import { type StrategySetting, strategy } from './strategy.ts';
import { type SubagentSettings, subagents } from './subagents.ts';
import { count, flag, oneOf, text } from './values.ts';

/**
 * What words of a turn do. `off`: nothing. `preload`: nothing is hidden and the prefix stays; up to
 * three schemas are handed over at the tail. `narrow`: only tools of matched categories are declared
 * and catalogued; none matched, no tools at all, `subagents` neither. A category once matched stays,
 * and each new one begins an epoch: the cached prefix is lost then.
 */
export type RoutingMode = 'off' | 'preload' | 'narrow';

/** What the configuration says of a server, beside its entry. */
export interface ServerSettings {
  /** Whether its annotations are believed: what it says only reads runs without asking. */
  readonly trusted?: boolean | undefined;
}

/** The `toolfold` block of a configuration file, checked; absent keys were not set. */
export interface ToolfoldSettings {
  readonly strategy?: StrategySetting;
  readonly exposure?: ExposureRules;
  readonly catalog?: CatalogOptions;
  readonly roles?: Readonly<Record<string, RoleSettings>>;
  /** By name; `false` takes a built-in category away. */
  readonly categories?: CategorySettings;
  readonly routing?: RoutingMode;
  readonly maxRounds?: number;
  /** By `provider/name` or by the bare name. */
  readonly models?: Readonly<Record<string, ModelSettings>>;
  readonly approvals?: ApprovalSettings;
  /** `true`: on as they are without settings. */
  readonly subagents?: SubagentSettings | boolean;
  readonly servers?: Readonly<Record<string, ServerSettings>>;
}

const exposures: readonly Exposure[] = ['inline', 'deferred', 'hidden'];

export const routingModes: readonly RoutingMode[] = ['off', 'preload', 'narrow'];

const catalog = objectOf<CatalogOptions>({
  header: text.describe('Text above the names; empty for the default.'),
  budget: count.describe(
    'Tokens the catalog may take: by default the smaller of 4,000 and 5 % of the window.',
  ),
  hints: flag.describe('false never shows the one-line hints.'),
});

const server = objectOf<ServerSettings>({
  trusted: flag.describe('Whether its annotations are believed: what only reads runs unasked.'),
});

export const settingsShape: Shape<ToolfoldSettings> = {
  strategy: strategy.describe('How tools reach the model: auto by default; false for all at once.'),
  exposure: recordOf(oneOf(exposures)).describe(
    'By glob: inline, deferred or hidden. Of the globs that match a tool the last one wins.',
  ),
  catalog: catalog.describe('The list of names that the model sees.'),
  roles: recordOf(role).describe(
    'Roles by name. A key given for a built-in role replaces that key alone.',
  ),
  categories: categories.describe(
    'Subjects that keyword routing knows, by name; false removes a built-in one.',
  ),
  routing: oneOf(routingModes).describe(
    'What words of a turn do: preload (default) hands up to three schemas over, narrow hides all else, off does nothing.',
  ),
  maxRounds: count.describe('Rounds of tools in a turn: 5.'),
  models: recordOf(model).describe('Settings of models, by provider/name or by the bare name.'),
  approvals: approvals.describe("Which calls wait for the user's word."),
  subagents: subagents.describe('Subagents: true, false, or how they are to be.'),
  servers: recordOf(server).describe('Settings of MCP servers, by their names in this file.'),
};

/** The settings whose keys are names that the user chooses. */
export const NAMED: readonly (keyof ToolfoldSettings)[] = [
  'exposure',
  'roles',
  'categories',
  'models',
  'servers',
];

export const settings: z.ZodType<ToolfoldSettings> =
  objectOf<ToolfoldSettings>(settingsShape).describe('Settings of Toolfold.');
