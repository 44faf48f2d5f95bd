import type { Subject } from '../calls/index.ts';

/**
 * The approval setting for a call: from the app's `toolApproval` or the tool's `needsApproval`. One
 * member for each type and no `undefined` among the reasons, because hosts return it to the AI SDK, and
 * an app may be compiled with `exactOptionalPropertyTypes`.
 */
export type Setting =
  | { readonly type: 'denied'; readonly reason?: string }
  | { readonly type: 'user-approval'; readonly reason?: string }
  | { readonly type: 'approved'; readonly reason?: string }
  | { readonly type: 'not-applicable'; readonly reason?: never }
  /** The tool's `needsApproval` is not known before the tool has loaded. */
  | { readonly type: 'unknown'; readonly reason?: never };

/** The approval status of a call, as hosts return it. */
export type Approval = Exclude<Setting, { type: 'unknown' }>;

/**
 * Finds the setting of a call that the hooks have allowed. `bypassed`: the call bypassed `approve`, so
 * the tool's own `needsApproval` does not count.
 */
export type FindSetting = (subject: Subject, bypassed: boolean) => Promise<Setting>;
