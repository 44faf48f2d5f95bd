import type { z } from 'zod';
import { objectOf, type Shape } from './shapes.ts';
import { names, oneOf } from './values.ts';

/**
 * `annotations`: read-only tools of trusted servers run without approval; all others need it.
 * `always`: every call needs approval. `never`: no call does.
 */
export type ApprovalMode = 'annotations' | 'always' | 'never';

/** Which calls need the user's approval. */
export interface ApprovalSettings {
  /** `annotations` if left out. */
  readonly mode?: ApprovalMode | undefined;
  /** Globs of tools that run without approval. */
  readonly allow?: readonly string[] | undefined;
}

const modes: readonly ApprovalMode[] = ['annotations', 'always', 'never'];

export const approvalShape: Shape<ApprovalSettings> = {
  mode: oneOf(modes).describe(
    'annotations: read-only tools of trusted servers run without approval, all others need it. always: every call needs approval. never: no call does.',
  ),
  allow: names.describe('Globs of tools that run without approval.'),
};

export const approvals: z.ZodType<ApprovalSettings> = objectOf<ApprovalSettings>(approvalShape);
