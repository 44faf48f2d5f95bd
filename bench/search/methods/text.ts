import type { ToolDocument } from '../../../packages/core/src/search.ts';

/** The text of a tool as plain strings, for libraries that index fields of text. */
export interface TextFields {
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly description: string;
  readonly parameters: string;
}

/** An identifier as words: `getUser_byId` is `get User by Id`. Libraries do not do this alone. */
export function splitIdentifiers(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}

/** The fields of a tool with all identifiers split into words. */
export function textFields({
  key,
  name,
  group,
  description = '',
  parameters = [],
}: ToolDocument): TextFields {
  const texts = parameters.map((parameter) => `${parameter.name} ${parameter.description ?? ''}`);
  return {
    id: key,
    name: splitIdentifiers(name),
    server: splitIdentifiers(group),
    description: splitIdentifiers(description),
    parameters: splitIdentifiers(texts.join(' ')),
  };
}
