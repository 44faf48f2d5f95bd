/** The problems for the model: each names a place (`/title`) and the mistake. At most five, each at most 200 characters. */
export type Check =
  | { readonly ok: true; readonly value: unknown; readonly warning?: string }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warning?: string };

export const MAX_PROBLEMS = 5;
