/**
 * A host of the tests of bad days: `node script.test-support.ts <config>`. It makes ten calls on a pool,
 * and prints a line of JSON for each.
 */
import { readConfig } from '../../src/config/read-config.ts';
import { createServerPool } from '../../src/pool/pool.ts';
import { manifestFiles } from '../../src/server/manifest.ts';
import { callsOfMatrix } from './matrix-calls.test-support.ts';

const [file = '', folder = ''] = process.argv.slice(2);
const config = await readConfig(file, { env: {} });
const pool = await createServerPool(config, { manifests: manifestFiles({ folder }) });
for (const { server, tool, id } of callsOfMatrix) {
  const connection = pool.connection(server);
  const { promise, resolve } = Promise.withResolvers<string>();
  connection?.callTool(tool, { id }, { signal: AbortSignal.timeout(20_000) }).then(
    (result) => resolve(JSON.stringify(result)),
    (error: Error) => resolve(error.message),
  );
  console.log(JSON.stringify({ id, text: await promise }));
}
await pool.close();
