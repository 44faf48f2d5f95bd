import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { entryText } from '@toolfold/agent/internal/agent/entries';
import { importSession, linesOf } from '@toolfold/agent/internal/sessions';
import { Command } from 'commander';
import { titleOf, withStore } from '../../app/sessions/index.ts';
import {
  type CommandContext,
  json as jsonText,
  path,
  unreadable,
} from '../../app/terminal/index.ts';

const afterHelp = `
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
    .addHelpText('after', afterHelp)
    .action((file: string, { json }: { json?: true }) =>
      withStore(terminal, async (store) => {
        const stream = file === '-' ? streams.stdin : createReadStream(file);
        const id = await importSession(store, linesIn(file, addAbortSignal(signal, stream)), {
          words: entryText,
        });
        const record = await store.get(id);
        terminal.out(json ? jsonText(record) : `${id}\n`);
        const title = record && (await titleOf(store, record));
        terminal.note(`Imported a session${title ? `: ${title}` : ''}.`);
      }),
    );
}

async function* linesIn(file: string, stream: Readable): AsyncGenerator<string, void> {
  stream.setEncoding('utf8');
  try {
    yield* linesOf(stream);
  } catch (error) {
    throw unreadable(file, error);
  }
}
