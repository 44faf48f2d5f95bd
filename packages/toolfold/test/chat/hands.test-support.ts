import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';

/**
 * A server with one tool, `do`. Its argument `what` is `text` (answers with the text), `flood` (answers with
 * so many bytes), `wait` (answers never), `die` (its process ends) or `fail` (says the text in a log message and as progress, and answers
 * with it as an error).
 */
const SOURCE = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') {
    require('node:fs').writeFileSync(process.argv[2], String(process.pid));
    const serverInfo = { name: 'hands', version: '1' };
    return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo, instructions: process.argv[3] });
  }
  const properties = { what: { type: 'string' }, text: { type: 'string' }, size: { type: 'number' } };
  if (method === 'tools/list')
    return answer({ tools: [{ name: 'do', description: 'Does it. ' + process.argv[3], inputSchema: { type: 'object', properties } }] });
  if (method !== 'tools/call') return answer({});
  const { what, text, size } = params.arguments;
  if (what === 'wait') return;
  if (what === 'die') process.exit(1);
  const say = (method, params) => console.log(JSON.stringify({ jsonrpc: '2.0', method, params }));
  if (what === 'fail') {
    say('notifications/message', { level: 'error', data: text });
    const { progressToken } = params._meta ?? {};
    if (progressToken !== undefined) say('notifications/progress', { progressToken, progress: 1, message: text });
    return answer({ isError: true, content: [{ type: 'text', text }] });
  }
  const line80 = 'x'.repeat(79) + '\\n';
  const words = what === 'flood' ? line80.repeat(Math.ceil(size / 80)) : text;
  answer({ content: [{ type: 'text', text: words }] });
});
process.stdin.on('end', () => process.exit());
`;

/**
 * Writes the server into the folder. Returns its entry, and the file in which it writes its process. `about`
 * stands in its instructions and in the description of its tool.
 */
export async function hands(
  folder: string,
  about = '',
): Promise<{ readonly entry: object; readonly pidFile: string }> {
  const script = join(folder, 'hands.cjs');
  const pidFile = join(folder, 'hands.pid');
  await writeFile(script, SOURCE);
  return { entry: { command: process.execPath, args: [script, pidFile, about] }, pidFile };
}

/** A call of its tool, as a model that sees every schema writes it. */
export function does(what: string, more: object = {}): ReplyCall {
  return { name: 'hands__do', arguments: { what, ...more } };
}
