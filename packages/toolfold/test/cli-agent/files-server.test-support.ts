/**
 * An MCP server over stdio that reads and writes files of its working folder. It has the names and
 * the annotations of the reference server for files, and starts in a fraction of the time, because it
 * loads no package.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, string>>;
  };
}

const path = { type: 'string' };
const TOOLS = [
  {
    name: 'read_text_file',
    description: 'Read the complete contents of a file from the file system as text.',
    inputSchema: { type: 'object', properties: { path }, required: ['path'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write_file',
    description: 'Create a new file or completely overwrite an existing file with new content.',
    inputSchema: {
      type: 'object',
      properties: { path, content: { type: 'string' } },
      required: ['path', 'content'],
    },
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true },
  },
];

function textOf({ name, arguments: input = {} }: NonNullable<Message['params']>): string {
  const file = input.path ?? '';
  if (name === 'read_text_file') return readFileSync(file, 'utf8');
  writeFileSync(file, input.content ?? '');
  return `Successfully wrote to ${file}`;
}

function resultOf({ method, params = {} }: Message): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'files', version: '1.0.0' };
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'tools/call') return {};
  try {
    return { content: [{ type: 'text', text: textOf(params) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: String(error) }], isError: true };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  if (message.id === undefined) return;
  const answer = { jsonrpc: '2.0', id: message.id, result: resultOf(message) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
