/**
 * The client under test: one server of a configuration file, used through the pool as a host uses it.
 * The conformance suite starts it once for each scenario; `run.ts` starts the suite. Prints how it
 * ended as JSON. Exits 1 if the server cannot be used or a call fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../src/errors.ts';
import { plannedCalls } from './calls.ts';
import { Host } from './host.ts';
import { readRequest } from './request.ts';

/** Milliseconds for the whole scenario. The suite runs all of them at once. */
const LIMIT = 100_000;

async function useServer(folder: string): Promise<void> {
  const request = readRequest(process.argv.slice(2), process.env);
  const signal = AbortSignal.timeout(LIMIT);
  const host = await Host.open(request, { folder, signal, timeout: LIMIT });
  try {
    const tools = await host.tools();
    for (const { name, input } of plannedCalls(tools, request)) await host.call(name, input);
  } finally {
    await host.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'toolfold-conformance-client-'));
let end = 'completed';
try {
  await useServer(folder);
} catch (error) {
  end = errorMessage(error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify({ end })}\n`);
