export type { AgentHooks, TransformSystemPrompt } from './hooks.ts';
export { identify, modelName, settingsOf } from './model-identity.ts';
