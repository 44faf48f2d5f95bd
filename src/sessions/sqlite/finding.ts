/** What a check has found. `note`: worth knowing, and nothing is wrong. */
export interface Finding {
  /** What was checked, in one or two words. */
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem' | 'repaired';
  /** One sentence. */
  readonly text: string;
  /** What the user can do about a problem. */
  readonly remedy?: string;
}

/** The remedy of problems that a repair removes without a loss. */
export const REPAIR = 'Repair it with --repair.';
