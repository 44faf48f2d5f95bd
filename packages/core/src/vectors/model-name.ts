const names = new WeakMap<object, string>();
let count = 0;

/**
 * A text as it is, a model of the AI SDK by provider and id. Any other object has a name of its own, which holds
 * as long as the process.
 */
export function modelName(model: unknown): string {
  if ((typeof model !== 'object' && typeof model !== 'function') || model === null)
    return String(model);
  const { provider, modelId } = model as { provider?: unknown; modelId?: unknown };
  if (typeof provider === 'string' && typeof modelId === 'string') return `${provider}/${modelId}`;
  const name = names.get(model) ?? `unnamed model ${++count}`;
  names.set(model, name);
  return name;
}
