import { textsIn } from '@toolfold/agent/internal/agent/entries';
import { publicUrl } from '@toolfold/agent/internal/agent/events';
import type { Session } from '@toolfold/agent/internal/sessions';
import { splitModelName } from '@toolfold/core/internal/models/table';
import type { AgentFlags } from '../agents/flags/index.ts';
import type { AgentSetUp } from '../agents/index.ts';
import { shortId } from '../sessions/index.ts';
import type { Settings } from './settings.ts';

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
