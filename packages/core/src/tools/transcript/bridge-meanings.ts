import type { Toolbox } from '../registry/index.ts';
import type { BridgeKind, Bridges } from '../strategies/index.ts';

/**
 * Returns the bridge tools by the names that mean them in messages, present and former; the same map where
 * no tool has taken one. `beside`: tools of the host. They may have a name that a bridge tool had earlier.
 */
export type BridgeMeanings = (beside: readonly string[]) => ReadonlyMap<string, BridgeKind>;

/**
 * `forms`: the bridge tools in all their forms; the last form knows every name. `reserved`: names that no
 * tool of the toolbox has.
 */
export function bridgeMeanings(
  toolbox: Toolbox,
  forms: readonly Bridges[],
  reserved: ReadonlySet<string>,
): BridgeMeanings {
  const kinds = [...(forms.at(-1)?.kinds ?? [])];
  const all = new Map(kinds);
  const free = kinds.flatMap(([name]) => (reserved.has(name) ? [] : name));
  const former = new Set(
    kinds.flatMap(([name, kind]) => (forms.some((form) => form.names[kind] === name) ? [] : name)),
  );
  return (beside) => {
    const taken = [
      ...free.filter((name) => toolbox.registry.get(name)),
      ...beside.filter((name) => former.has(name)),
    ];
    return taken.length === 0 ? all : new Map(kinds.filter(([name]) => !taken.includes(name)));
  };
}
