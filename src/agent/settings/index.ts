export type { AgentHooks, TransformSystemPrompt } from './hooks.ts';
export { identify, modelName, settingsOf } from './model-identity.ts';
export type { ModelSettings } from './model-settings.ts';
export { type OptionRule, objectOf, refuse, rule, wholeNumber } from './option-rules.ts';
