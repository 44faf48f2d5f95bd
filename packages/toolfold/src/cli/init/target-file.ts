import { dirname, resolve } from 'node:path';
import { withExposure, withServers } from '@toolfold/config/internal/config';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import { parseConfig } from '@toolfold/mcp/internal/mcp';
import {
  type ClientServer,
  type FindConfigsOptions,
  placeOf,
  readClient,
  readText,
} from '@toolfold/mcp/internal/mcp/clients';
import { createFile, realPath, replaceFile } from '../../app/files/index.ts';
import type { MergedServer } from './merge.ts';

/** The file that the servers are merged into. It may not exist yet. */
export interface TargetFile {
  readonly file: string;
  /** `undefined` if there is no file. */
  readonly text: string | undefined;
  /** The file without links, to recognize it among the files of clients. */
  readonly path: string;
  readonly servers: readonly ClientServer[];
}

/**
 * Reads the file that the servers are merged into. Throws `invalid-config` if it exists and cannot be
 * read or is malformed: then it stays as it is.
 */
export async function readTarget(file: string, where: FindConfigsOptions): Promise<TargetFile> {
  const read = await readText(file);
  const path = realPath(file);
  if (read.state === 'unreadable') throw unusable(file, `${file} cannot be read: ${read.reason}.`);
  if (read.state === 'absent') return { file, text: undefined, path, servers: [] };
  // Checks the settings too: a file that the other commands refuse is not made longer.
  parseConfig(file, read.text, { env: {} });
  const found = await readClient(placeOf(file), { ...where, cwd: dirname(resolve(file)) });
  if (found.state !== 'read') throw unusable(file, `${file} cannot be read.`);
  return { file, text: read.text, path, servers: found.servers };
}

/**
 * Writes the servers and the rules for their tools to the file, in one step. The rest of the file keeps its values, order and
 * comments. Throws `invalid-config` if that fails; then the file is unchanged.
 */
export async function writeTarget(
  { file, text, path }: TargetFile,
  servers: readonly MergedServer[],
  exposure: Iterable<readonly [glob: string, exposure: string]>,
): Promise<void> {
  const bom = text?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const entries = servers.map(({ name, entry, isDisabled }) => {
    return [name, isDisabled ? { ...entry, disabled: true } : { ...entry }] as const;
  });
  try {
    const after = withExposure(withServers(text?.slice(bom.length) ?? '{}\n', entries), exposure);
    checkWritten(after, servers);
    if (text === undefined) createFile(file, after);
    else {
      const now = await readText(file);
      if (now.state !== 'read' || now.text !== text)
        throw new Error('the file has changed in the meantime');
      replaceFile(file, bom + after);
    }
  } catch (error) {
    throw unusable(file, `${file} cannot be written: ${errorMessage(error)}.`, error);
  }
}

function checkWritten(text: string, servers: readonly MergedServer[]): void {
  const config = parseConfig('the result', text, { env: {} });
  const all = [...config.servers.keys(), ...config.disabled];
  const missing = servers.find(({ name }) => !all.includes(name));
  if (missing !== undefined) throw new Error('the file has no place for the servers');
}

function unusable(file: string, message: string, cause?: unknown): ToolfoldError {
  const isFolderAbsent = ownProperty(cause, 'code') === 'ENOENT';
  const hint = isFolderAbsent
    ? `Create the folder ${dirname(resolve(file))}, or name another file with --config.`
    : 'Correct it, or name another file with --config.';
  return new ToolfoldError('invalid-config', message, hint, cause);
}
