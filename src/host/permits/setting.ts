import type { Subject } from '../calls/index.ts';
/** What the app's own setting, or the tool itself, says of a call. */
export type Setting =
  | { readonly type: 'denied' | 'user-approval' | 'approved'; readonly reason?: string | undefined }
  | { readonly type: 'not-applicable'; readonly reason?: undefined }
  /** The tool's own wish is not known before it has loaded. */
  | { readonly type: 'unknown'; readonly reason?: undefined };

/**
 * Finds the setting of a call; asked only of what the hooks let pass. `isPassed`: the call has gone
 * by the host's own approval, so that the tool's own wish holds no longer.
 */
export type FindSetting = (subject: Subject, isPassed: boolean) => Promise<Setting>;
