import type { JsonSchema } from '@toolfold/core/internal/tools/values';
import { toJSONSchema } from 'zod/mini';
import { settings } from './settings/index.ts';

/** The JSON Schema of a configuration file, for editors. Keys other than `toolfold` belong to the MCP clients. */
export function fileSchema(): JsonSchema {
  const { $schema, ...block } = toJSONSchema(settings, { target: 'draft-7', io: 'input' });
  return {
    $schema,
    title: 'Configuration of Toolfold',
    description: 'MCP servers as your client has them, and the block with settings of Toolfold.',
    type: 'object',
    properties: { toolfold: block },
  };
}
