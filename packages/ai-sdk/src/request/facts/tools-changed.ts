import type { ToolRequest } from '@toolfold/core/internal/tools/calls';
import { canonicalName, groupSlug } from '@toolfold/core/internal/tools/names';
import type { Session } from '@toolfold/core/internal/tools/session';

/** Names of tools of groups that came and that went. */
export interface ToolsChanged {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * What changed in the list of tools since the epoch of the conversation began. Undefined if this request
 * has no notice of a change.
 */
export function toolsChanged(
  { epoch, presentation }: ToolRequest,
  session: Session,
): ToolsChanged | undefined {
  const { note } = presentation;
  if (note?.announced === undefined || note.epoch !== undefined) return;
  const now = new Set(session.groupToolNames());
  const listed = [...epoch.list.groups].flatMap(([groupId, { names }]) =>
    names.map((name) => ({ groupId, names: [canonicalName(groupSlug(groupId), name), name] })),
  );
  const before = new Set(listed.flatMap(({ names }) => names));
  // A group without a list shows its tools when it loads: that is no change.
  const lists = ({ groupId = '' }: { readonly groupId?: string | undefined }) =>
    epoch.list.groups.get(groupId)?.names.length !== 0;
  const isNew = (name: string) => !before.has(name) && lists(session.find(name) ?? {});
  return {
    added: [...now].filter(isNew),
    removed: listed.flatMap(({ names }) =>
      names.some((name) => now.has(name)) ? [] : names.slice(0, 1),
    ),
  };
}
