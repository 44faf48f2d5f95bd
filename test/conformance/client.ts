/**
 * The client under test: one server of a configuration file, used through the pool as a host uses it.
 * The conformance suite starts it once for each scenario; `run.ts` starts the suite. Prints how it
 * ended as JSON. Exits 1 if the server cannot be used or a call fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForTurn } from './turns.ts';

const endTurn = await waitForTurn(process.env);
const folder = await mkdtemp(join(tmpdir(), 'toolfold-conformance-client-'));
let end = 'completed';
try {
  // Loaded in its turn, because loading is most of the work.
  const { useServer } = await import('./use-server.ts');
  await useServer(folder);
} catch (error) {
  end = error instanceof Error ? error.message : String(error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
  endTurn();
}
process.stdout.write(`${JSON.stringify({ end })}\n`);
