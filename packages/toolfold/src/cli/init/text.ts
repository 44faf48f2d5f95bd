import { plainLine } from '@toolfold/core/internal/tools/values';
import type { ClientFile } from '@toolfold/mcp/internal/mcp/clients';
import { oneLine, renderTable, type Terminal } from '../../app/terminal/index.ts';
import type { PortableEntry } from './entry.ts';
import type { MergedServer } from './merge.ts';
import type { InitPlan, NeededVariable } from './plan.ts';

const MAX_SHOWN = 60;
const MAX_NAME = 60;

/** Shortens paths in the working folder and in the home folder. */
export type ShowPath = (file: string) => string;

/** A plan as text: the files, the merged file, and what to look at. */
export function planText(plan: InitPlan, style: Terminal['style'], show: ShowPath): string {
  return [filesTable(plan, style, show), mergedTable(plan, style, show), remarks(plan, show)]
    .filter((part) => part !== '')
    .join('\n');
}

/** The variables to set before the servers start. Empty if there are none. */
export function variablesText(variables: readonly NeededVariable[], show: ShowPath): string {
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
