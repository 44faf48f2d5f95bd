import { Command, Option } from 'commander';
import { sessionMarkdown } from '../../agent/transcript/index.ts';
import { exportSession, openSession, type Session } from '../../sessions/index.ts';
import { type CommandContext, path } from '../terminal/index.ts';
import { findSession, shortId } from './find-session.ts';
import { withStore } from './open-store.ts';
import { writePrivateFile } from './private-file.ts';

interface ExportOptions {
  readonly format: 'jsonl' | 'markdown';
  readonly output?: string;
  readonly force?: boolean;
}

const afterHelp = `
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
    .addHelpText('after', afterHelp)
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

/**
 * Writes a session to a file that only the user can read. Rejects with `invalid-option` if the file is there,
 * unless `force` is given.
 */
export function exportToFile(
  session: Session,
  file: string,
  { format, force = false }: Pick<ExportOptions, 'format' | 'force'>,
): Promise<void> {
  return writePrivateFile(file, textsOf(session, format), { force });
}

function textsOf(session: Session, format: ExportOptions['format']): AsyncGenerator<string, void> {
  return format === 'jsonl' ? jsonLines(session) : markdown(session);
}

/** JSON leaves control characters beyond ASCII as they are, and a terminal would obey them. */
async function* jsonLines(session: Session): AsyncGenerator<string, void> {
  for await (const line of exportSession(session)) yield `${escaped(line)}\n`;
}

function escaped(json: string): string {
  return json.replace(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function* markdown({ record, entries }: Session): AsyncGenerator<string, void> {
  yield sessionMarkdown(record, entries);
}
