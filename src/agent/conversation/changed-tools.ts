import type { ModelMessage } from 'ai';
import { callDigest, KEY, readBinding } from '../../host/index.ts';
import type { ToolLayer } from '../../tools/index.ts';
import { own } from '../../tools/values/index.ts';
import type { PendingApproval } from '../events/index.ts';

type Part = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];

/** The binding (definition and arguments) that an approval is for now, by call id. */
export type Bindings = ReadonlyMap<string, { readonly d: string; readonly t: string }>;

/**
 * Finds approved calls whose tool or arguments have changed since the user was asked, and returns
 * their present bindings. Loads groups where needed. A group that fails to load is reported when the
 * call runs.
 */
export async function changedTools(
  messages: readonly ModelMessage[],
  approved: readonly PendingApproval[],
  layer: Pick<ToolLayer, 'bindingOf' | 'isBound'>,
  signal: AbortSignal | undefined,
): Promise<Bindings> {
  const changed = new Map<string, { d: string; t: string }>();
  const options = signal ? { signal } : {};
  for (const { id, name } of approved) {
    const call = callOf(messages, id);
    const { binding, digest } = readBinding(call?.providerOptions);
    const t = callDigest(name, call?.input);
    const isSame = binding !== undefined && (await layer.isBound(name, binding, options));
    const d = layer.bindingOf(name);
    // Tools outside the fold have no binding.
    if (d !== undefined && !(isSame && digest === t)) changed.set(id, { d, t });
  }
  return changed;
}

/** The messages, with the stamps of these calls bound to the present tools. */
export function rebound(messages: readonly ModelMessage[], bindings: Bindings): ModelMessage[] {
  if (bindings.size === 0) return [...messages];
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message;
    const content = message.content.map((part) => {
      const binding = part.type === 'tool-call' ? bindings.get(part.toolCallId) : undefined;
      if (part.type !== 'tool-call' || !binding) return part;
      const stamp = { ...(own(part.providerOptions, KEY) as object), ...binding };
      return { ...part, providerOptions: { ...part.providerOptions, [KEY]: stamp } };
    });
    return { ...message, content };
  });
}

function callOf(
  messages: readonly ModelMessage[],
  id: string,
): Extract<Part, { type: 'tool-call' }> | undefined {
  const parts = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content : [],
  );
  const call = parts.findLast((part) => part.type === 'tool-call' && part.toolCallId === id);
  return call?.type === 'tool-call' ? call : undefined;
}
