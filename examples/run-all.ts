/** Runs every example and the demo, each in its own process. It fails if one of them fails. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const name of [
  'quickstart.ts',
  'own-tools.ts',
  'mcp-servers.ts',
  'resume.ts',
  'agent.ts',
  'subagents.ts',
  'embedder.ts',
  'demo/main.ts',
]) {
  console.log(`\n== ${name}`);
  const file = fileURLToPath(new URL(name, import.meta.url));
  const args = [file];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${name} failed with exit code ${status}.`);
    process.exit(1);
  }
}
