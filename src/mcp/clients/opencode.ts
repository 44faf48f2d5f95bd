import { isRecord, type JsonObject, type JsonValue, mapTexts } from '../../tools/values/index.ts';

/** An entry of opencode with the keys that Toolfold reads. Others stay. */
export function opencodeEntry(entry: JsonValue): JsonValue {
  const own = mapTexts(entry, withVariables);
  if (!isRecord(own)) return own as JsonValue;
  const { type: _, command, environment, ...rest } = own;
  const [program, ...args] = [command ?? []].flat();
  return {
    ...rest,
    ...(program === undefined ? {} : { command: program, args }),
    ...(environment === undefined ? {} : { env: environment }),
  } as JsonObject;
}

/** The tools of a server that the file switches off for all agents, such as `"github_*": false`. */
export function opencodeDisabled(server: string, tools: unknown): string[] {
  const rules = isRecord(tools) ? Object.entries(tools) : [];
  return rules.flatMap(([glob, isOn]) => {
    if (isOn !== false || !glob.startsWith(server)) return [];
    const rest = glob.slice(server.length);
    return rest === '*' ? ['*'] : rest.startsWith('_') ? [rest.slice(1)] : [];
  });
}

function withVariables(text: string): string {
  return text.replace(/\{(env|file):([^{}]*)\}/g, (_, kind: string, name: string) =>
    kind === 'env' ? `\${${name}}` : `\${file:${name}}`,
  );
}
