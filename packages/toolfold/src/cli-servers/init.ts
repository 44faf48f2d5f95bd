import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { formatCount, pick, plainLine } from '@toolfold/core/internal/values';
import { type ClientFile, clientIds } from '@toolfold/mcp/internal/clients';
import { Command, Option } from 'commander';
import { searchedText } from '../servers/index.ts';
import {
  type CommandContext,
  canAsk,
  exitCode,
  isAgreed,
  json,
  oneLine,
  path,
  renderTable,
  type Terminal,
} from '../terminal/index.ts';
import { type InitPlan, type NeededVariable, planInit } from './init-plan.ts';
import {
  type MergeCandidate,
  type MergedServer,
  type PortableEntry,
  writeTarget,
} from './merge.ts';

interface InitOptions {
  readonly config?: string;
  readonly write?: true;
  readonly json?: true;
  readonly from?: readonly string[];
}

const afterHelp = `
Secrets are not copied: a variable stands in their place, and the names of the variables are printed.
An existing file is kept: servers are added to it, and none is replaced.

Examples:
  toolfold init
  toolfold init --write
  toolfold init --from cursor claude-code --config toolfold.json --write

Exit codes:
  0  done
  2  wrong use, a file that cannot be written, or no servers
  3  done, but some files or servers could not be read`;

/** `toolfold init`: exit code 3 if some files or servers could not be read. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description(
      'Shows the MCP servers that your clients have, and writes them to one configuration file.',
    )
    .option('--config <file>', 'the file to write (default: toolfold.json)', path)
    .option('--write', 'write the file; without it, ask on a terminal')
    .addOption(
      new Option('--from <client...>', 'only the servers of these clients').choices(clientIds()),
    )
    .option('--json', 'print what was found as JSON')
    .addHelpText('after', afterHelp)
    .action((options: InitOptions) => init(options, context));
}

async function init(options: InitOptions, context: CommandContext): Promise<void> {
  const { terminal, exitWith } = context;
  const { env, platform } = process;
  const [cwd, home] = [process.cwd(), homedir()];
  const file = options.config ?? join(cwd, defaultName(cwd));
  const plan = await planInit({ cwd, home, platform, env, file, clients: options.from });
  const show = pathsFrom(cwd, home);
  if (!options.json) terminal.out(planText(plan, terminal.style, show));
  const canBeAsked = !options.json && canAsk(context.streams);
  const isWanted = async (): Promise<boolean> =>
    options.write || (canBeAsked && isAgreed(`\nWrite ${show(file)}?`, context));
  const isWritten = plan.added.length > 0 && (await isWanted());
  if (isWritten) await writeTarget(plan.target, plan.added, plan.exposure);
  if (options.json) terminal.out(json(initReport(plan, isWritten), 2));
  else if (plan.servers.length > 0) terminal.out(conclusion(plan, isWritten, show));
  if (plan.servers.length === 0)
    terminal.note(`No MCP servers were found.${searchedText(plan.searched)}`);
  exitWith(codeOf(plan));
}

/** `toolfold.jsonc` is read first, so it is used if it exists. */
function defaultName(cwd: string): string {
  return existsSync(join(cwd, 'toolfold.jsonc')) ? 'toolfold.jsonc' : 'toolfold.json';
}

function conclusion(plan: InitPlan, isWritten: boolean, show: ShowPath): string {
  const { target, added, variables } = plan;
  const file = show(target.file);
  const count = formatCount(added.length, 'server');
  const result =
    added.length === 0
      ? `${file} already has all of these servers.`
      : isWritten
        ? `Wrote ${count} to ${file}.`
        : `Nothing is written. toolfold init --write adds ${count} to ${file}.`;
  const flag = /^toolfold\.jsonc?$/.test(file) ? '' : ` --config ${file}`;
  const next = `Next: toolfold list${flag}, then toolfold run${flag} "What can you do?"\n`;
  const isNext = isWritten || added.length === 0;
  return `\n${result}\n${variablesText(variables, show)}${isNext ? next : ''}`;
}

function codeOf({ files, left, servers }: InitPlan): number {
  if (left.length > 0 || files.some(({ state }) => state === 'unreadable'))
    return exitCode.notReady;
  return servers.length === 0 ? exitCode.usage : exitCode.ok;
}

function pathsFrom(cwd: string, home: string): ShowPath {
  return (file) => {
    const inside = relative(cwd, file);
    if (inside !== '' && !inside.startsWith('..')) return inside;
    const below = relative(home, file);
    return below !== '' && !below.startsWith('..') ? join('~', below) : file;
  };
}

/** What `toolfold init --json` prints. */
export interface InitReport extends Pick<InitPlan, 'left' | 'equal' | 'variables' | 'notes'> {
  readonly config: string;
  readonly written: boolean;
  readonly files: readonly (Pick<ClientFile, 'client' | 'scope' | 'file' | 'state'> & {
    readonly reason?: string;
    readonly servers: readonly { readonly name: string; readonly disabled: boolean }[];
  })[];
  readonly servers: readonly {
    readonly name: string;
    readonly disabled: boolean;
    readonly existing: boolean;
    /** Without secrets. `null` for a server that is already in the file. */
    readonly entry: PortableEntry | null;
    readonly from: readonly Pick<MergeCandidate, 'client' | 'file' | 'name'>[];
  }[];
  /** The rules of `exposure` that are added. */
  readonly exposure: Readonly<Record<string, string>>;
}

/** A plan as JSON. It holds no secret. */
function initReport(plan: InitPlan, written: boolean): InitReport {
  const { target, servers, exposure } = plan;
  return {
    ...{ config: target.file, written },
    files: plan.files.map((file) => ({
      ...pick(file, 'client', 'scope', 'file', 'state'),
      ...(file.state === 'unreadable' ? { reason: file.reason } : {}),
      servers: (file.state === 'read' ? file.servers : []).map(({ name, isDisabled }) => ({
        ...{ name, disabled: isDisabled },
      })),
    })),
    servers: servers.map(({ name, isDisabled, isThere, entry, from }) => ({
      ...{ name, disabled: isDisabled, existing: isThere, entry: isThere ? null : entry },
      from: from.map((source) => pick(source, 'client', 'file', 'name')),
    })),
    exposure: Object.fromEntries(exposure),
    ...pick(plan, 'left', 'equal', 'variables', 'notes'),
  };
}

const MAX_SHOWN = 60;
const MAX_NAME = 60;

/** Shortens paths in the working folder and in the home folder. */
type ShowPath = (file: string) => string;

/** A plan as text: the files, the merged file, and what to look at. */
function planText(plan: InitPlan, style: Terminal['style'], show: ShowPath): string {
  return [filesTable(plan, style, show), mergedTable(plan, style, show), remarks(plan, show)]
    .filter((part) => part !== '')
    .join('\n');
}

/** The variables to set before the servers start. Empty if there are none. */
function variablesText(variables: readonly NeededVariable[], show: ShowPath): string {
  const missing = variables.filter(({ isSet }) => !isSet);
  if (missing.length === 0) return '';
  const lines = missing.map(({ name, servers, files }) => {
    const where = files.length === 0 ? '' : `; its value is in ${files.map(show).join(', ')}`;
    return `  ${name}  for ${servers.map(shown).join(', ')}${where}`;
  });
  return `Set these variables before the servers start:\n${lines.join('\n')}\n`;
}

function filesTable({ files }: InitPlan, style: Terminal['style'], show: ShowPath): string {
  const rows = files.map((file) => [file.client, show(file.file), contents(file)]);
  return rows.length === 0 ? '' : renderTable(['Client', 'File', 'Servers'], rows, style);
}

function contents(file: ClientFile): string {
  if (file.state === 'absent') return 'none';
  if (file.state !== 'read') return `cannot be read: ${oneLine(file.reason, 200)}`;
  if (file.servers.length === 0) return 'none';
  return file.servers
    .map(({ name, isDisabled }) => `${shown(name)}${isDisabled ? ' (disabled)' : ''}`)
    .join(', ');
}

function mergedTable(
  { servers, target }: InitPlan,
  style: Terminal['style'],
  show: ShowPath,
): string {
  if (servers.length === 0) return '';
  const rows = servers.map((server) => [
    shown(server.name),
    origin(server, show),
    `${server.isDisabled ? 'disabled: ' : ''}${oneLine(startOf(server.entry), MAX_SHOWN)}`,
  ]);
  const table = renderTable(['Server', 'From', 'Starts'], rows, style);
  const change = target.text === undefined ? 'a new file' : 'merged into the file';
  return `${show(target.file)}, ${change}:\n${table}`;
}

function origin({ isThere, from }: MergedServer, show: ShowPath): string {
  const files = [...new Set(from.map(({ file }) => show(file)))];
  return [...(isThere ? ['already there'] : []), ...files].join(', ');
}

function startOf({ command, args = [], url }: PortableEntry): string {
  return command === undefined ? (url ?? '') : [command, ...args].join(' ');
}

function remarks({ servers, exposure, left, equal, notes }: InitPlan, show: ShowPath): string {
  const renamed = servers.flatMap(({ name, from }) =>
    from
      .filter((candidate) => candidate.name !== name)
      .map(
        (candidate) =>
          `${shown(name)}: it is ${shown(candidate.name)} in ${show(candidate.file)}, where its entry is different.`,
      ),
  );
  const lines = [
    ...renamed,
    ...equal.map(
      ([name, earlier]) => `${shown(name)}: it has the same entry as ${shown(earlier)}.`,
    ),
    ...exposure.map(
      ([glob, value]) => `${shown(glob)}: ${value}, as a client has it; see "exposure".`,
    ),
    ...notes.map(({ server, text }) => `${shown(server)}: ${oneLine(text, 200)}.`),
    ...left.map(
      ({ name, file, reason }) => `${shown(name)} of ${show(file)} is left out: ${reason}.`,
    ),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function shown(name: string): string {
  return plainLine(name, MAX_NAME);
}
