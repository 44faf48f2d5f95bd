import type { Subject } from '../calls/index.ts';

/** The approval setting for a call: from the app's `toolApproval` or the tool's `needsApproval`. */
export type Setting =
  | { readonly type: 'denied' | 'user-approval' | 'approved'; readonly reason?: string | undefined }
  | { readonly type: 'not-applicable'; readonly reason?: undefined }
  /** The tool's `needsApproval` is not known before the tool has loaded. */
  | { readonly type: 'unknown'; readonly reason?: undefined };

/**
 * Finds the setting of a call that the hooks have allowed. `bypassed`: the call bypassed `approve`, so
 * the tool's own `needsApproval` does not count.
 */
export type FindSetting = (subject: Subject, bypassed: boolean) => Promise<Setting>;
