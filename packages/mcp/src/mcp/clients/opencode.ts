import { type JsonObject, mapTexts } from '@toolfold/core/internal/tools/values';

/** An entry of opencode with the keys that Toolfold reads. Others stay. */
export function opencodeEntry(entry: JsonObject): JsonObject {
  const own = mapTexts(entry, withVariables) as JsonObject;
  const { type: _, command, environment, ...rest } = own;
  const [program, ...args] = [command ?? []].flat();
  return {
    ...rest,
    ...(program === undefined ? {} : { command: program, args }),
    ...(environment === undefined ? {} : { env: environment }),
  } as JsonObject;
}

function withVariables(text: string): string {
  return text.replace(/\{(env|file):([^{}]*)\}/g, (_, kind: string, name: string) =>
    kind === 'env' ? `\${${name}}` : `\${file:${name}}`,
  );
}
