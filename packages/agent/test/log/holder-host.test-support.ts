/**
 * A process that holds a session: `node holder-host.test-support.ts <folder> <base URL>`. It asks its user,
 * who never answers, and prints each event of its turn as a line.
 */
import { appendFileSync } from 'node:fs';
import { agentOf } from './mail-agent.test-support.ts';

const [, , folder = '', baseUrl = ''] = process.argv;
const talk = await agentOf({
  folder,
  baseUrl,
  effect: (text) => appendFileSync(`${folder}/effects`, `${text}\n`),
  approvals: { ask: () => new Promise(() => {}) },
});
// Its user could be asked at any time.
setInterval(() => {}, 60_000);
for await (const event of talk.send('Write to Ann.')) console.log(JSON.stringify(event));
process.exit();
