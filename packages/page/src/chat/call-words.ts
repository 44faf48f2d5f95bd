import { ownProperty } from '@toolfold/core/internal/values';
import { changeOf, diffIn, type FileChange, shownText } from 'toolfold/internal/words';
import type { LargeValue, ScreenCall } from '../wire/index.ts';

/** How a state looks, and what it is called. */
const STATES: Readonly<
  Record<ScreenCall['status'], readonly [mark: string, words: string, colour: string]>
> = {
  waiting: ['○', 'not run yet', 'muted'],
  asked: ['?', 'needs your approval', 'warn'],
  running: ['◐', 'runs', 'accent'],
  done: ['✓', 'done', 'good'],
  failed: ['✗', 'failed', 'bad'],
  denied: ['⊘', 'denied', 'bad'],
  unknown: ['‼', 'interrupted, its outcome is unknown', 'warn'],
  withdrawn: ['~', 'withdrawn with its answer', 'muted'],
};

/**
 * The state that is shown. A tool of MCP says with its result that it has failed. `mayRun`: a turn runs, or the user is
 * asked about the call.
 */
export function stateOf({ status, output, approval }: ScreenCall, mayRun: boolean) {
  if (status === 'asked' && !mayRun) return ['○', 'not run: it was not answered', 'muted'] as const;
  if (status === 'done' && ownProperty(output, 'isError') === true) return STATES.failed;
  const isNext = status === 'waiting' && approval?.decision?.approved === true;
  return isNext ? (['○', 'approved, not run yet', 'muted'] as const) : STATES[status];
}

/** How the schema came, and how long the call took. */
export function factsOf({ schema, duration, approval, repairs }: ScreenCall): readonly string[] {
  const { decision } = approval ?? {};
  return [
    ...(schema === undefined ? [] : [`schema ${schema}`]),
    ...(repairs ? ['arguments repaired'] : []),
    ...(decision?.approved && decision.source === 'user' ? ['approved by you'] : []),
    ...(duration === undefined ? [] : [durationText(duration)]),
  ];
}

/** Such as `35 ms`, `1.2 s`. */
function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A value that is fetched by its address. Undefined for one that is here. */
export function largeIn(value: unknown): LargeValue['large'] | undefined {
  const large = ownProperty(value, 'large');
  const isLarge =
    typeof ownProperty(large, 'address') === 'string' &&
    typeof ownProperty(large, 'beginning') === 'string';
  return isLarge ? (large as LargeValue['large']) : undefined;
}

/** What a call changes in a file, with the diff that its tool has returned. */
export function fileChangeOf({
  name,
  arguments: given,
  output,
  raw,
}: ScreenCall): FileChange | undefined {
  const change = raw === undefined ? changeOf(name, given) : undefined;
  return (
    change && { ...change, made: output === undefined ? undefined : diffIn(shownText(output)) }
  );
}
