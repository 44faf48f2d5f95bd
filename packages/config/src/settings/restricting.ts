import { isDeepStrictEqual } from 'node:util';
import { RESULT_LENGTH } from '@toolfold/core/internal/tool';
import { TURN_LIMITS } from './agents.ts';
import type { ToolfoldSettings } from './settings.ts';

type Restricting = {
  readonly [Key in keyof ToolfoldSettings]-?: (
    value: NonNullable<ToolfoldSettings[Key]>,
  ) => ToolfoldSettings[Key];
};

const dropped = (): undefined => undefined;
const onlyFalse = (value: unknown): false | undefined => (value === false ? false : undefined);
/** The limits without a setting. A higher one does not restrict. */
const LIMITS = {
  maxRounds: TURN_LIMITS.rounds,
  maxRequests: TURN_LIMITS.rounds + TURN_LIMITS.moreRequests,
  maxTokens: TURN_LIMITS.tokens,
  maxResultLength: RESULT_LENGTH,
};

const below =
  (limit: number) =>
  (given: number): number | undefined =>
    given < limit ? given : undefined;

/** What of each setting restricts, whoever wrote it. A new setting is a compile error here. */
const RESTRICTING: Restricting = {
  strategy: dropped,
  cache: dropped,
  exposure: (rules) => {
    const hidden = Object.entries(rules).filter(([, exposure]) => exposure === 'hidden');
    return hidden.length === 0 ? undefined : Object.fromEntries(hidden);
  },
  catalog: dropped,
  roles: dropped,
  categories: dropped,
  routing: dropped,
  projectInstructions: onlyFalse,
  maxRounds: below(LIMITS.maxRounds),
  maxRequests: below(LIMITS.maxRequests),
  maxTokens: below(LIMITS.maxTokens),
  maxResultLength: below(LIMITS.maxResultLength),
  models: dropped,
  providers: dropped,
  titles: onlyFalse,
  approvals: ({ mode }) => (mode === 'always' ? { mode } : undefined),
  subagents: onlyFalse,
  servers: dropped,
  currency: dropped,
  notify: dropped,
  serve: dropped,
};

/** The part of a block that restricts: it holds also where nobody has said yes to the block. */
export function restrictingPart(settings: ToolfoldSettings): ToolfoldSettings {
  const kept = Object.entries(RESTRICTING).flatMap(([key, part]) => {
    const value = settings[key as keyof ToolfoldSettings];
    const restricting =
      value === undefined ? undefined : (part as (value: unknown) => unknown)(value);
    return restricting === undefined ? [] : [[key, restricting]];
  });
  return Object.fromEntries(kept);
}

/** Whether a block does nothing but restrict, so that it needs no yes. */
export function onlyRestricts(settings: ToolfoldSettings): boolean {
  return isDeepStrictEqual(restrictingPart(settings), settings);
}

/** Settings with these restrictions behind them: each of the two can only tighten the other. */
export function tightened(
  { exposure = {}, ...settings }: ToolfoldSettings,
  { exposure: hidden = {}, ...limits }: ToolfoldSettings,
): ToolfoldSettings {
  const shown = Object.entries(exposure).filter(([glob]) => !Object.hasOwn(hidden, glob));
  const rules = Object.fromEntries([...shown, ...Object.entries(hidden)]);
  const least = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((key) => {
    const values = [settings[key], limits[key]].filter((value) => value !== undefined);
    return values.length === 0 ? [] : [[key, Math.min(...values)]];
  });
  return {
    ...{ ...settings, ...limits },
    ...(Object.keys(rules).length > 0 && { exposure: rules }),
    ...Object.fromEntries(least),
    ...(limits.approvals && { approvals: { ...settings.approvals, ...limits.approvals } }),
  };
}
