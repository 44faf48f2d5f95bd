export type { PromptMark, PromptUsage } from './cache-marks.ts';
export { type ExposureChange, ExposureFile, type ExposurePreview } from './exposure.ts';
export { type DiffLine, type PromptPart, type PromptParts, promptParts } from './prompt-parts.ts';
export { type Prompt, type PromptPiece, PromptReader, type SentPrompt } from './prompts.ts';
export { type MappedTool, toolMap } from './tool-map.ts';
