import { isRecord } from '@toolfold/core/internal/tools/values';
import type { LiveGroups, SdkToolGroup } from './fold-options.ts';

/** The groups at this moment. What is no source of groups is returned unchanged, for its check. */
export function groupsNow(source: readonly SdkToolGroup[] | LiveGroups): readonly SdkToolGroup[] {
  return isLive(source) ? source.groups : source;
}

/** Updates the target when the groups change. Does not keep the target in memory. */
export function followGroups(
  source: readonly SdkToolGroup[] | LiveGroups,
  target: { update(groups: readonly SdkToolGroup[]): void },
): void {
  if (!isLive(source)) return;
  const weak = new WeakRef(target);
  const stop = source.onChange(() => {
    const followed = weak.deref();
    if (followed) followed.update(source.groups);
    else stop();
  });
}

function isLive(source: readonly SdkToolGroup[] | LiveGroups): source is LiveGroups {
  return isRecord(source) && typeof source.onChange === 'function' && Array.isArray(source.groups);
}
