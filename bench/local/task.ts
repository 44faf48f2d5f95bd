/** One task for each number of servers: four calls in a row, with results of a given length. */

/** A call that the task takes. */
export interface Goal {
  readonly server: string;
  readonly tool: string;
  readonly input: object;
}

const file = { path: '/home/ada/notes/release.md' };

const TASKS: ReadonlyMap<number, readonly Goal[]> = new Map([
  [
    1,
    [
      { server: 'filesystem', tool: 'list_directory', input: { path: '/home/ada/notes' } },
      {
        server: 'filesystem',
        tool: 'search_files',
        input: { path: '/home/ada/notes', pattern: '**/*release*' },
      },
      { server: 'filesystem', tool: 'read_text_file', input: file },
      {
        server: 'filesystem',
        tool: 'write_file',
        input: { path: '/home/ada/notes/open.md', content: '- two parts wait for an answer\n' },
      },
    ],
  ],
  [
    3,
    [
      { server: 'filesystem', tool: 'list_directory', input: { path: '/home/ada/notes' } },
      { server: 'filesystem', tool: 'read_text_file', input: file },
      { server: 'memory', tool: 'search_nodes', input: { query: 'release' } },
      { server: 'time', tool: 'current_time', input: { timezone: 'Europe/London' } },
    ],
  ],
  [
    8,
    [
      { server: 'filesystem', tool: 'read_text_file', input: file },
      { server: 'git', tool: 'git_log', input: { path: '/home/ada/notes', maxCount: 5 } },
      { server: 'git', tool: 'git_diff', input: { path: '/home/ada/notes', target: 'HEAD~1' } },
      { server: 'memory', tool: 'search_nodes', input: { query: 'release' } },
    ],
  ],
]);

/** How many servers there can be. */
export const SIZES: readonly number[] = [...TASKS.keys()];

export function goalsOf(servers: number): readonly Goal[] {
  return TASKS.get(servers) ?? [];
}

/** How long results are, in lines of about 30 tokens. */
export const RESULT_LINES: ReadonlyMap<string, number> = new Map([
  ['short', 2],
  ['long', 14],
]);

/** What the user says, who names things roughly as the tools do. */
export function wordsOf(goals: readonly Goal[]): string {
  const steps = goals.map(({ server, tool }) => `${server}: ${tool.replaceAll('_', ' ')}`);
  return `Find out what is open for the release, step by step: ${steps.join('; ')}.`;
}

/** The same whoever asks. */
export function resultOf(tool: string, lines: number): string {
  const records = Array.from(
    { length: lines },
    (_, n) => `#${n + 1} | 2026-03-${10 + n} | part ${n * 37} | waits for an answer since release`,
  );
  return [`${tool}:`, ...records].join('\n');
}
