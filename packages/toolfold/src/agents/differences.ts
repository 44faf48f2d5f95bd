import { type AnswerParts, textsIn } from '@toolfold/agent/internal/entries';
import { publicUrl } from '@toolfold/agent/internal/events';
import type { AgentFold } from '@toolfold/agent/internal/options';
import type { Entry } from '@toolfold/agent/internal/sessions';
import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/messages';
import { splitModelName } from '@toolfold/core/internal/models';
import { viewOf } from '@toolfold/core/internal/registry';
import { contextOf, listTools, type ToolState, WITH_OWN } from '@toolfold/core/internal/request';
import { formatCount, ownProperty, plainLine } from '@toolfold/core/internal/values';
import type { AgentSetUp } from './set-up.ts';

/** Most servers, and most tools of each, that are named. */
const [MAX_SERVERS, MAX_TOOLS] = [5, 5];
/** The ids of groups that are servers begin so. */
const SERVER = 'mcp:';

/** What the next turn of a session would be sent with. */
interface Now {
  readonly set: Pick<AgentSetUp, 'config' | 'directory'>;
  readonly model: string | undefined;
  readonly role: string | null | undefined;
  readonly fold: AgentFold;
}

/**
 * What differs from when a session was last used, a sentence for each: its model, the address of that, its servers
 * and their tools. It follows from the entries; of tools it is the list that the model was given.
 */
export function whatDiffers(entries: readonly Entry[], now: Now): readonly string[] {
  return [...modelDiffers(entries, now), ...toolsDiffer(entries, now)];
}

function modelDiffers(entries: readonly Entry[], { set, model }: Now): readonly string[] {
  const kept = entries.findLast(({ kind }) => kind === 'settings')?.body;
  if (!kept || model === undefined) return [];
  const before = textsIn(kept, 'model', 'address');
  const given = set.directory.addressOf(model);
  const address = given === undefined ? undefined : publicUrl(given);
  const differs: string[] = [];
  if (before.model !== undefined && before.model !== model)
    differs.push(`Its model was ${before.model}. Now it is ${model}.`);
  const isOfOne = providerOf(before.model) === providerOf(model);
  if (isOfOne && before.address !== address)
    differs.push(
      `Its requests went to ${place(before.address)}. Now they go to ${place(address)}.`,
    );
  return differs.map((line) => plainLine(line, 400));
}

function providerOf(model: string | undefined): string | undefined {
  return model === undefined ? undefined : splitModelName(model).provider;
}

function place(address: string | undefined): string {
  return address ?? 'the address of the provider';
}

type Groups = NonNullable<ToolState['frozen']>['list'];
type Group = Groups[number][1];

function toolsDiffer(entries: readonly Entry[], { set, role, fold }: Now): readonly string[] {
  const state = ownProperty(entries.findLast(({ kind }) => kind === 'epoch')?.body, 'state');
  const list = ownProperty(ownProperty(state, 'frozen'), 'list');
  if (!Array.isArray(list)) return [];
  const before = new Map<string, Group>(list as unknown as Groups);
  const isKnown = role == null || Object.hasOwn(fold.roles, role);
  if (!isKnown) return [];
  const view = viewOf(fold.roles, role ?? undefined);
  const present = listTools(contextOf(fold.layer).toolbox, view);
  // What follows is about groups alone.
  if (present.id === announcedIn(entries)?.split(WITH_OWN)[0]) return [];
  const after: ReadonlyMap<string, Group> = present.groups;
  const ids = [...new Set([...before.keys(), ...after.keys()])].filter((id) =>
    id.startsWith(SERVER),
  );
  const changes = ids.flatMap((id) => {
    const name = id.slice(SERVER.length);
    const [old, current] = [before.get(id), after.get(id)];
    // What has not started, or needs a login, is said elsewhere.
    if (!current && set.config?.servers.has(name)) return [];
    const change = groupChange(old, current);
    return change === undefined ? [] : [`${plainLine(name, 80)} ${change}`];
  });
  if (changes.length === 0) return [];
  const more = changes.length - MAX_SERVERS;
  const rest = more > 0 ? [`and ${formatCount(more, 'more server')}`] : [];
  return [`Its servers differ: ${[...changes.slice(0, MAX_SERVERS), ...rest].join('; ')}.`];
}

/** The id of the list of tools that the model was told of last in the epoch. */
function announcedIn(entries: readonly Entry[]): string | undefined {
  const begun = entries.findLastIndex(({ kind }) => kind === 'epoch');
  const ids = entries.slice(begun).flatMap(({ kind, body }) => {
    const content = ownProperty(body, 'content');
    const parts = kind === 'model' && Array.isArray(content) ? (content as AnswerParts) : [];
    return parts.flatMap((part) =>
      isNotePart(part) ? (readResponseNote(part.providerOptions)?.announced ?? []) : [],
    );
  });
  return ids.at(-1);
}

/** Undefined if nothing differs that is known. */
function groupChange(before: Group | undefined, after: Group | undefined): string | undefined {
  if (!after) return `is gone${before ? withTools(before) : ''}`;
  if (!before) return `is new${withTools(after)}`;
  if (before.unavailable || after.unavailable) return;
  const gone = before.names.filter((name) => !after.names.includes(name));
  const added = after.names.filter((name) => !before.names.includes(name));
  if (gone.length + added.length === 0)
    return before.version === undefined ||
      after.version === undefined ||
      before.version === after.version
      ? undefined
      : 'defines its tools in another way';
  return [
    ...(gone.length > 0 ? [`has no more ${named(gone)}`] : []),
    ...(added.length > 0 ? [`has ${named(added)} as new`] : []),
  ].join(' and ');
}

function withTools({ names }: Group): string {
  return names.length === 0 ? '' : ` (${formatCount(names.length, 'tool')})`;
}

function named(names: readonly string[]): string {
  const more = names.length - MAX_TOOLS;
  const shown = names.slice(0, MAX_TOOLS).map((name) => plainLine(name, 60));
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
