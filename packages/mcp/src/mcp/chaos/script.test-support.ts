/**
 * A host of the tests of bad days: `node script.test-support.ts <config>`. It makes ten calls on a pool,
 * and prints a line of JSON for each.
 */
import { readConfig } from '../config/index.ts';
import { manifestFiles } from '../manifest/index.ts';
import { createServerPool } from '../pool/index.ts';
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
