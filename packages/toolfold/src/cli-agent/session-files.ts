import { addAbortSignal, type Readable } from 'node:stream';
import { entryText } from '@toolfold/agent/internal/entries';
import { importSession, linesOf, openSession } from '@toolfold/agent/internal/sessions';
import { checkSessions, type Finding } from '@toolfold/agent/internal/sqlite';
import { openNamed } from '@toolfold/config/internal/files';
import { Command, Option } from 'commander';
import {
  type ExportFormat,
  exportToFile,
  findSession,
  sessionsFolder,
  shortId,
  textsOf,
  titleOf,
  withStore,
} from '../stored-sessions/index.ts';
import {
  type CommandContext,
  exitCode,
  json as jsonText,
  path,
  type Terminal,
  unreadable,
} from '../terminal/index.ts';

interface ExportOptions {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly force?: boolean;
}

const exportHelp = `
An export holds all that was said, and the results of tools: with the secrets that are in them.

Examples:
  toolfold sessions export 3f2a -o session.jsonl
  toolfold sessions export 3f2a --format markdown > session.md`;

/** `toolfold sessions export`. */
export function exportCommand({ terminal }: CommandContext): Command {
  return new Command('export')
    .summary('write a session to a file, or to stdout')
    .description(
      'Writes a session with those of its subagents as lines of JSON, which can be imported, or as Markdown for people.',
    )
    .argument('<session>', 'the id of the session, or its beginning')
    .addOption(
      new Option('--format <name>', 'jsonl can be imported; markdown is a transcript')
        .choices(['jsonl', 'markdown'])
        .default('jsonl'),
    )
    .option('-o, --output <file>', 'a new file that only you can read (default: stdout)', path)
    .option('--force', 'replace the file if it is there')
    .addHelpText('after', exportHelp)
    .action((id: string, { format, output, force = false }: ExportOptions) =>
      withStore(terminal, async (store) => {
        const session = await openSession(store, (await findSession(store, id)).id);
        if (output === undefined) {
          for await (const text of textsOf(session, format)) terminal.out(text);
          return;
        }
        await exportToFile(session, output, { format, force });
        terminal.note(`Wrote the session ${shortId(session.id)} to ${output}.`);
      }),
    );
}

const importHelp = `
The session keeps its id if that is free. Its folder is the one that is in the file.

Examples:
  toolfold sessions import session.jsonl
  ssh host toolfold sessions export 3f2a | toolfold sessions import -`;

/** `toolfold sessions import`. Prints the id of the new session. */
export function importCommand({ streams, terminal, signal }: CommandContext): Command {
  return new Command('import')
    .summary('create a session from an export')
    .description(
      'Creates a session, with those of its subagents, from an export in lines of JSON. Nothing is created if a line is wrong.',
    )
    .argument('<file>', 'the export; - reads stdin', path)
    .option('--json', 'print the new session as JSON')
    .addHelpText('after', importHelp)
    .action((file: string, { json }: { json?: true }) =>
      withStore(terminal, async (store) => {
        const opening = file === '-' ? streams.stdin : openNamed(file);
        const id = await importSession(store, linesIn(file, opening, signal), {
          words: entryText,
        });
        const record = await store.get(id);
        terminal.out(json ? jsonText(record) : `${id}\n`);
        const title = record && (await titleOf(store, record));
        terminal.note(`Imported a session${title ? `: ${title}` : ''}.`);
      }),
    );
}

async function* linesIn(
  file: string,
  opening: Readable | Promise<Readable>,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  try {
    const stream = addAbortSignal(signal, await opening);
    yield* linesOf(stream.setEncoding('utf8'));
  } catch (error) {
    throw unreadable(file, error);
  }
}

interface DoctorOptions {
  readonly repair?: boolean;
  readonly json?: true;
}

const COLOURS: Readonly<Record<Finding['state'], Parameters<Terminal['style']>[0]>> = {
  ok: 'green',
  note: 'dim',
  problem: 'red',
  repaired: 'yellow',
};

const doctorHelp = `
--repair changes only what loses nothing: permissions, and rows that no session has.

Examples:
  toolfold sessions doctor
  toolfold sessions doctor --repair

Exit codes:
  0  nothing is wrong, or it was repaired
  1  there are problems
  2  wrong use`;

/** `toolfold sessions doctor`: exit code 1 if there are problems. */
export function doctorCommand({ terminal, exitWith }: CommandContext): Command {
  return new Command('doctor')
    .summary('check the file of sessions')
    .description('Checks the file of sessions, its folder and its content.')
    .option('--repair', 'repair what can be repaired without a loss')
    .option('--json', 'print one JSON object')
    .addHelpText('after', doctorHelp)
    .action(async ({ repair = false, json }: DoctorOptions) => {
      const folder = sessionsFolder();
      const findings = await checkSessions({ folder, repair });
      terminal.out(json ? jsonText({ folder, findings }, 2) : findingsText(findings, terminal));
      exitWith(findings.some(({ state }) => state === 'problem') ? exitCode.failed : exitCode.ok);
    });
}

function findingsText(findings: readonly Finding[], { style }: Pick<Terminal, 'style'>): string {
  const checks = Math.max(...findings.map(({ check }) => check.length));
  const states = Math.max(...findings.map(({ state }) => state.length));
  return findings
    .map(({ check, state, text, remedy }) => {
      const coloured = style(COLOURS[state], state.padEnd(states));
      return `${check.padEnd(checks)}  ${coloured}  ${text}${remedy === undefined ? '' : ` ${remedy}`}\n`;
    })
    .join('');
}
