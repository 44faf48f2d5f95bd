import { isRecord } from '@toolfold/core/internal/tools/values';

/** The objects of a list, in order; empty if the value is not a list. */
export function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The tools of a request body that have a name, in any provider's form. */
export function declaredTools(
  body: Readonly<Record<string, unknown>>,
): { index: number; name: string; tool: Record<string, unknown> }[] {
  return recordsOf(body.tools).flatMap((entry, index) => {
    const tool = isRecord(entry.function) ? entry.function : entry;
    const name = tool.name;
    return typeof name === 'string' ? [{ index, name, tool }] : [];
  });
}

/** The first name that occurs a second time. */
export function duplicateOf(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
