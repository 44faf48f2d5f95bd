import type { z } from 'zod';
import { objectOf, type Shape } from './shapes.ts';
import { names, oneOf } from './values.ts';

/**
 * `annotations`: tools that a trusted server says only read are run, everything else asks. `always`
 * asks for every call, `never` for none.
 */
export type ApprovalMode = 'annotations' | 'always' | 'never';

/** Which calls wait for the user's word. */
export interface ApprovalSettings {
  /** `annotations` if left out. */
  readonly mode?: ApprovalMode | undefined;
  /** Globs of tools that run without being asked for. */
  readonly allow?: readonly string[] | undefined;
}

const modes: readonly ApprovalMode[] = ['annotations', 'always', 'never'];

export const approvalShape: Shape<ApprovalSettings> = {
  mode: oneOf(modes).describe(
    'annotations: what a trusted server says only reads is run, everything else asks. always: every call asks. never: none does.',
  ),
  allow: names.describe('Globs of tools that run without being asked for.'),
};

export const approvals: z.ZodType<ApprovalSettings> = objectOf<ApprovalSettings>(approvalShape);
