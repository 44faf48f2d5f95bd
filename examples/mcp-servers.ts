/** Real MCP servers behind one fold: it reads an ordinary client configuration and offers the tools. */
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { createFold } from '@toolfold/ai-sdk';
import { connectServers, readConfig } from '@toolfold/mcp';
import { startModelServer } from '@toolfold/testing';
import { isStepCount, streamText } from 'ai';

const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolfold-example-')));
process.on('exit', () => rmSync(folder, { recursive: true }));
await writeFile(join(folder, 'hello.txt'), 'Hello from a file.\n');
const command = fileURLToPath(
  new URL('../node_modules/.bin/mcp-server-filesystem', import.meta.url),
);
const file = join(folder, 'mcp.json');
await writeFile(file, JSON.stringify({ mcpServers: { filesystem: { command, args: [folder] } } }));

const server = await startModelServer({
  script: [
    {
      calls: [
        {
          name: 'deferred_tool_call',
          arguments: {
            tool_name: 'filesystem__read_text_file',
            arguments: { path: join(folder, 'hello.txt') },
          },
        },
      ],
    },
    { text: 'It says hello.' },
  ],
});
const servers = await connectServers(await readConfig(file, { env: process.env }));
const fold = createFold({ groups: servers.groups, strategy: 'dispatch' });
const openai = createOpenAI({ apiKey: 'none', baseURL: server.baseUrl('openai-chat') });

const result = streamText({
  ...fold.with(openai.chat('gpt-5')),
  prompt: 'What is in hello.txt?',
  stopWhen: isStepCount(5),
});
let output = '';
for await (const part of result.fullStream) {
  if (part.type === 'tool-call') console.log(`${part.toolName}(${JSON.stringify(part.input)})`);
  if (part.type === 'tool-result') output = JSON.stringify(part.output);
  if (part.type === 'text-delta') process.stdout.write(part.text);
  // The stream does not throw either: errors are parts of it.
  if (part.type === 'tool-error') console.error(`${part.toolName} failed:`, part.error);
  if (part.type === 'error') console.error(part.error);
}
console.log();
if (!output.includes('Hello from a file.')) throw new Error(`The file was not read: ${output}`);
await servers.close();
await server.close();
