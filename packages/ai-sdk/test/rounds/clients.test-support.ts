import type { Conversation } from '../conversation.test-support.ts';

/** What a client or a store does to the messages that it keeps. */
export interface Client {
  readonly name: string;
  readonly change: (conversation: Conversation) => void;
}

/** Changes each object of the messages, the inner ones first. */
function changing(change: (value: Record<string, unknown>) => unknown): Client['change'] {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.flatMap((item) => walk(item) ?? []);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => [key, walk(inner)]);
    return change(Object.fromEntries(entries));
  };
  return (conversation) => {
    conversation.messages = walk(conversation.messages) as typeof conversation.messages;
    conversation.ui = walk(conversation.ui) as typeof conversation.ui;
  };
}

const METADATA = [
  'providerOptions',
  'providerMetadata',
  'callProviderMetadata',
  'resultProviderMetadata',
];

export const WITHOUT_METADATA: Client = {
  name: 'drops all metadata of providers',
  change: changing((value) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !METADATA.includes(key))),
  ),
};

export const WITHOUT_BOUNDS: Client = {
  name: 'drops the bounds of steps',
  change: changing((value) => (value.type === 'step-start' ? undefined : value)),
};

export const SORTING: Client = {
  name: 'sorts the keys of objects, as jsonb does',
  change: changing((value) => {
    const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    return Object.fromEntries(keys.map((key) => [key, value[key]]));
  }),
};

const without = (...types: readonly string[]) =>
  changing((value) => (types.includes(String(value.type)) ? undefined : value));

export const WITHOUT_RESULTS: Client = {
  name: 'drops metadata of results',
  change: changing(({ resultProviderMetadata: _, ...value }) => {
    const { providerOptions: _own, ...result } = value;
    return value.type === 'tool-result' ? result : value;
  }),
};

export const CLIENTS: readonly Client[] = [
  WITHOUT_RESULTS,
  { name: 'drops custom parts', change: without('custom') },
  { name: 'drops reasoning', change: without('reasoning') },
  { name: 'drops custom parts and reasoning', change: without('custom', 'reasoning') },
  {
    name: 'drops metadata of the texts',
    change: changing((value) =>
      'text' in value && (value.type === 'text' || value.type === 'reasoning')
        ? { type: value.type, text: value.text }
        : value,
    ),
  },
  SORTING,
];
