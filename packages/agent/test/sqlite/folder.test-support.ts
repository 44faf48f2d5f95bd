import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A new folder, which is removed at the end of a test. */
export async function newFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-sessions-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
