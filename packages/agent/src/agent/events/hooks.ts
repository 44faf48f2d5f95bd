import type { ToolHooks } from '@toolfold/ai-sdk';

/**
 * Rewrites the app's system text once per epoch. The result is frozen for the epoch. Several hooks run
 * in order; each gets the result of the one before.
 */
export type TransformSystemPrompt = (text: string) => string | Promise<string>;

export interface AgentHooks extends ToolHooks {
  readonly transformSystemPrompt?: TransformSystemPrompt | readonly TransformSystemPrompt[];
}
