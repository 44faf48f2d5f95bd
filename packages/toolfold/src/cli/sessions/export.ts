import { openSession } from '@toolfold/agent/internal/sessions';
import { Command, Option } from 'commander';
import {
  type ExportFormat,
  exportToFile,
  findSession,
  shortId,
  textsOf,
  withStore,
} from '../../app/sessions/index.ts';
import { type CommandContext, path } from '../../app/terminal/index.ts';

interface ExportOptions {
  readonly format: ExportFormat;
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
