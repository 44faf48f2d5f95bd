import type { ToolHooks } from '../../ai-sdk/index.ts';
/**
 * Rewrites the app's system text, once per epoch: the result is frozen with it. Of several, each
 * sees what the one before returned.
 */
export type TransformSystemPrompt = (text: string) => string | Promise<string>;

export interface AgentHooks extends ToolHooks {
  readonly transformSystemPrompt?: TransformSystemPrompt | readonly TransformSystemPrompt[];
}
