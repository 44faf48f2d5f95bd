import { resolve } from 'node:path';
import { TrustedEntries } from '@toolfold/config/internal/files';
import type { ProjectEntry } from '@toolfold/mcp/internal/config';
import { Command } from 'commander';
import { entryText, isReadable, keepTrust, loadConfig, trustQuestion } from '../servers/index.ts';
import {
  type CommandContext,
  canAsk,
  exitCode,
  isAgreed,
  realPath,
  usageError,
} from '../terminal/index.ts';

interface TrustOptions {
  readonly list?: true;
  readonly forget?: true;
  readonly hash?: readonly string[];
}

const afterHelp = `
A file of a project (.mcp.json, .cursor/mcp.json, .vscode/mcp.json, .gemini/settings.json, mcp.json, toolfold.json)
starts no program, contacts no address and gets no variable until you have said yes to its entries. The yes is kept for
the folder and for each whole entry: a changed entry asks again, the others stay.
Without a terminal, only entries whose hash is given are trusted.

Examples:
  toolfold trust
  toolfold trust ~/work/app --hash 5f0c…
  toolfold trust --list
  toolfold trust --forget

Exit codes:
  0  all entries are trusted, or shown, or forgotten
  1  the answer cannot be kept
  2  wrong use or configuration
  7  some entries are not trusted`;

/** `toolfold trust`: exit code 7 if entries are left that are not trusted. */
export function trustCommand(context: CommandContext): Command {
  return new Command('trust')
    .description(
      'Shows what the files of a project would start and contact, and trusts it if you say yes.',
    )
    .argument('[folder]', 'the folder of the project (default: the working folder)')
    .option('--list', 'list what is trusted, in all folders or in this one')
    .option('--forget', 'trust nothing in the folder any more')
    .option('--hash <hash...>', 'trust the entries with these hashes, without a question')
    .addHelpText('after', afterHelp)
    .action((folder: string | undefined, options: TrustOptions) => trust(folder, options, context));
}

async function trust(
  given: string | undefined,
  { list, forget, hash }: TrustOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, exitWith } = context;
  const folder = realPath(resolve(given ?? '.'));
  if (list) {
    const entries = new TrustedEntries().list();
    const shown = given === undefined ? entries : entries.filter((one) => one.folder === folder);
    for (const entry of shown) terminal.out(`${entry.folder}  ${entry.name}  ${entry.hash}\n`);
    return exitWith(exitCode.ok);
  }
  if (forget) {
    const isThere = new TrustedEntries().forget(folder);
    terminal.out(
      isThere
        ? `Nothing in ${folder} is trusted any more.\n`
        : `Nothing in ${folder} was trusted.\n`,
    );
    return exitWith(exitCode.ok);
  }
  const { untrusted } = await loadConfig(undefined, { note: () => {} }, folder);
  if (untrusted.length === 0) {
    terminal.out(`Nothing in ${folder} waits for a yes.\n`);
    return exitWith(exitCode.ok);
  }
  const agreed = hash ? named(untrusted, hash) : await asked(untrusted, folder, context);
  if (agreed.length > 0 && !keepTrust(agreed, folder, terminal.note))
    return exitWith(exitCode.failed);
  if (agreed.length > 0) terminal.out(`Trusted: ${agreed.length} of ${untrusted.length}.\n`);
  exitWith(agreed.length < untrusted.length ? exitCode.notTrusted : exitCode.ok);
}

/** The entries with these hashes. Throws `invalid-option` if there is none: the file has changed. */
function named(entries: readonly ProjectEntry[], hashes: readonly string[]): ProjectEntry[] {
  const unknown = hashes.find((hash) => !entries.some((entry) => entry.hash === hash));
  if (unknown === undefined) return entries.filter(({ hash }) => hashes.includes(hash));
  throw usageError(
    `No entry that waits for a yes has the hash ${unknown}.`,
    'The file may have changed. Read it again: toolfold trust',
  );
}

/** Shows the entries, and asks. Without a terminal nobody says yes. */
async function asked(
  entries: readonly ProjectEntry[],
  folder: string,
  context: CommandContext,
): Promise<readonly ProjectEntry[]> {
  const { terminal, streams } = context;
  const [readable, long] = [entries.filter(isReadable), entries.filter((one) => !isReadable(one))];
  for (const entry of long)
    terminal.out(
      `${entryText(entry).slice(0, 200)}… is too long to be asked about. Read it in ${entry.file}, then: --hash ${entry.hash}\n`,
    );
  if (canAsk(streams))
    return readable.length > 0 && (await isAgreed(trustQuestion(readable, folder), context))
      ? readable
      : [];
  for (const entry of readable) terminal.out(`${entryText(entry)}\n  --hash ${entry.hash}\n`);
  terminal.note('Nobody can be asked here. To trust an entry, give its hash with --hash.');
  return [];
}
