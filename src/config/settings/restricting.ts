import type { ToolfoldSettings } from './settings.ts';

type Restricting = {
  readonly [Key in keyof ToolfoldSettings]-?: (
    value: NonNullable<ToolfoldSettings[Key]>,
  ) => ToolfoldSettings[Key];
};

const dropped = (): undefined => undefined;
const onlyFalse = (value: unknown): false | undefined => (value === false ? false : undefined);
const DEFAULT_ROUNDS = 100;
const DEFAULT_RESULT = 100_000;

/** What of each setting restricts, whoever wrote it. A new setting is a compile error here. */
const RESTRICTING: Restricting = {
  strategy: dropped,
  exposure: (rules) => {
    const hidden = Object.entries(rules).filter(([, exposure]) => exposure === 'hidden');
    return hidden.length === 0 ? undefined : Object.fromEntries(hidden);
  },
  catalog: dropped,
  roles: dropped,
  categories: dropped,
  routing: dropped,
  projectInstructions: onlyFalse,
  maxRounds: (rounds) => (rounds < DEFAULT_ROUNDS ? rounds : undefined),
  maxResultLength: (length) => (length < DEFAULT_RESULT ? length : undefined),
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

/** Settings with these restrictions behind them: each of the two can only tighten the other. */
export function tightened(
  { exposure = {}, ...settings }: ToolfoldSettings,
  { exposure: hidden = {}, ...limits }: ToolfoldSettings,
): ToolfoldSettings {
  const shown = Object.entries(exposure).filter(([glob]) => !Object.hasOwn(hidden, glob));
  const rules = Object.fromEntries([...shown, ...Object.entries(hidden)]);
  const least = (key: 'maxRounds' | 'maxResultLength'): ToolfoldSettings => {
    const values = [settings[key], limits[key]].filter((value) => value !== undefined);
    return values.length === 0 ? {} : { [key]: Math.min(...values) };
  };
  return {
    ...{ ...settings, ...limits },
    ...(Object.keys(rules).length > 0 && { exposure: rules }),
    ...{ ...least('maxRounds'), ...least('maxResultLength') },
    ...(limits.approvals && { approvals: { ...settings.approvals, ...limits.approvals } }),
  };
}
