import { cutAt, entriesOf, type Fixture } from './fixture.ts';
import { type Observed, observe } from './observe.ts';
import type { Scenario } from './scenario.ts';

/** What is expected of a recorded session. */
export interface Expected {
  readonly whole: Observed;
  /** If its process had ended behind an entry, by the number and the kind of the entry. */
  readonly cuts?: Readonly<Record<string, Observed>>;
}

/** What this version says of a recorded session. */
export async function expectedOf(scenario: Scenario, fixture: Fixture): Promise<Expected> {
  const whole = await observe(scenario, fixture);
  if (!scenario.isCut) return { whole };
  const cuts: Record<string, Observed> = {};
  for (const [name, cut] of cutsOf(fixture)) cuts[name] = await observe(scenario, cut);
  return { whole, cuts };
}

/** The session cut behind each of its entries but the last one, by the place of the cut. */
export function cutsOf(fixture: Fixture): ReadonlyMap<string, Fixture> {
  const entries = entriesOf(fixture).slice(0, -1);
  return new Map(
    entries.map((entry, at) => {
      const place = `${at + 1} ${entry.kind}${entry.isInside ? ', inside a write' : ''}`;
      return [place, cutAt(fixture, entry)] as const;
    }),
  );
}
