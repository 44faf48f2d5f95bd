import * as z from '../schemas/index.ts';
import { type Allowed, allowList } from './allowed-call.ts';
import { objectOf, type Shape } from './shapes.ts';
import { oneOf } from './values.ts';

/**
 * `annotations`: read-only tools of trusted servers run without approval; all others need it.
 * `always`: every call needs approval. `never`: no call does.
 */
export type ApprovalMode = 'annotations' | 'always' | 'never';

/** Which calls need the user's approval. */
export interface ApprovalSettings {
  /** `annotations` if left out. */
  readonly mode?: ApprovalMode | undefined;
  /** Globs of tools that run without approval, certain tools, and calls with certain arguments. */
  readonly allow?: readonly Allowed[] | undefined;
}

const modes: readonly ApprovalMode[] = ['annotations', 'always', 'never'];

export const approvalShape: Shape<ApprovalSettings> = {
  mode: oneOf(modes).with(
    z.describe(
      'annotations: read-only tools of trusted servers run without approval, all others need it. always: every call needs approval. never: no call does.',
    ),
  ),
  allow: allowList.with(
    z.describe(
      'What runs without approval: globs of tools, certain tools, and calls of a tool with certain arguments.',
    ),
  ),
};

export const approvals: z.ZodMiniType<ApprovalSettings> = objectOf<ApprovalSettings>(approvalShape);
