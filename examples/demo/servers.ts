import { connectServers, readConfig, type ServerPool } from '@toolfold/mcp';
import type { Workplace } from '../../packages/toolfold/src/demo/demo.ts';

/** Starts the servers and reports the state of each. */
export async function startServers(
  workplace: Workplace,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<ServerPool> {
  const config = await readConfig(workplace.config, { env: process.env });
  return connectServers(config, {
    signal,
    timeout: 60_000,
    onProgress: ({ name, state, tools, ms, reason }) => {
      if (state === 'ready')
        report(`  ${name}: ${tools} tools after ${Math.round(ms).toLocaleString('en-US')} ms`);
      if (state === 'failed' && !signal.aborted) report(`  ${name}: ${reason}`);
    },
  });
}
