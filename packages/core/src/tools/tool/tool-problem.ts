import { isRecord, isTooDeep, MAX_NESTING, truncate } from '../values/index.ts';
import type { Tool } from './tool.ts';

/** Says why a loaded tool cannot be shown or sent; servers return such tools. */
export function toolProblem(tool: Tool): string | undefined {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '') return 'has no name';
  const { name, description, inputSchema } = tool as Tool;
  if (description !== undefined && typeof description !== 'string') {
    return `has a description that is no text ("${truncate(name, 80)}")`;
  }
  try {
    JSON.stringify(inputSchema);
  } catch {
    return `has a schema that is not JSON ("${truncate(name, 80)}")`;
  }
  // A Standard Schema is an object of its library, often with cycles; it describes itself.
  const isJson = isRecord(inputSchema) && !('~standard' in inputSchema);
  if (isJson && isTooDeep(inputSchema)) {
    return `has a schema nested more than ${MAX_NESTING} levels deep ("${truncate(name, 80)}")`;
  }
  return;
}
