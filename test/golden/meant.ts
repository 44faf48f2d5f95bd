/** A difference from the version that has recorded a session, which is meant. */
interface Meant {
  /** The name of the session and the place where it was cut. */
  readonly session: RegExp;
  /** The path of the value. */
  readonly path: RegExp;
  readonly why: string;
}

const MEANT: readonly Meant[] = [
  {
    session: /^/,
    path: /\.notices\[\d+\]\.place$/,
    why: 'A notice says behind which block of its turn it stands.',
  },
  {
    session:
      /behind \d+ answer(, inside a write)?$|^(asked behind (16|18|31)|hook-asks behind (14|26|38)) event$/,
    path: /^/,
    why: 'Approvals were answered before the process ended. The answers count, and nobody is asked again.',
  },
  {
    session: /^hook-asks behind/,
    path: /^next\.resume\.ran/,
    why: 'What had loaded is loaded before its answer is read again. So nobody is asked more often than without the end of the process.',
  },
  {
    session: /subagent/,
    path: /^(opened\.unknown|next\.(again|happened))/,
    why: 'Calls of subagents whose outcome is unknown are listed.',
  },
  {
    session: /^compacted/,
    path: /^next\..*\.content$/,
    why: 'A digest names its own result, where the model has used the id of its call again.',
  },
  {
    session: /^own-model-output/,
    path: /^next\.happened/,
    why: 'A tool does not convert what the user says about a call.',
  },
];

/** Whether a difference is meant. */
export function isMeant(session: string, path: string): boolean {
  return MEANT.some((row) => row.session.test(session) && row.path.test(path));
}
