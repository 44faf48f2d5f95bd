import { parametersOf } from '../../tools/schema/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { FoundTool } from './found-tool.ts';
import { checkIds, readJsonLines, requiredText } from './json-lines.ts';

const TOOL = {
  what: 'a tool',
  form: '{ "id", "server", "name", "description", "inputSchema" }, of which "id" and "name" are required',
};

/** Reads a file of tools, one a line. Throws `invalid-option` for a line that is not a tool. */
export async function readToolFile(file: string, signal: AbortSignal): Promise<FoundTool[]> {
  const lines = await readJsonLines(file, TOOL, signal);
  const tools = lines.map((line) => {
    const { server, description, inputSchema } = line.value;
    return {
      where: line.where,
      id: requiredText(line, 'id', TOOL),
      name: requiredText(line, 'name', TOOL),
      group: typeof server === 'string' ? server : '',
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(inputSchema) ? parametersOf(inputSchema) : [],
    };
  });
  checkIds(tools);
  return tools.map(({ where: _, ...tool }) => tool);
}
