/**
 * A model that refuses a message of the user behind the results of tools: its chat template wants the messages of user
 * and assistant in turns.
 */
export interface StrictTurns {
  /** Glob for the AI SDK's `provider`, without regard to case. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /** The source of the row. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

const MISTRAL = {
  source: "chat templates and API of Mistral: \"Unexpected role 'user' after role 'tool'\"",
  date: '2026-11-28',
} as const;

/** The first matching row counts. Other models take such a message. */
export const STRICT_TURNS: readonly StrictTurns[] = [
  ...['mistral*'].map((provider) => ({ ...MISTRAL, provider, model: '*' })),
  ...['mistral', 'mixtral', 'ministral', 'codestral', 'devstral', 'magistral', 'pixtral'].map(
    (name) => ({ ...MISTRAL, provider: '*', model: `*${name}*` }),
  ),
  {
    provider: '*',
    model: '*gemma*',
    source: 'chat template of Gemma: "Conversation roles must alternate user/assistant"',
    date: '2026-11-28',
  },
];
