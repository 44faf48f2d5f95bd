export {
  type ExposureChange,
  ExposureFile,
  type ExposurePreview,
  type WrittenExposure,
} from './exposure.ts';
export { type DiffLine, type PromptParts, promptParts } from './prompt-parts.ts';
export { type Prompt, PromptReader } from './prompts.ts';
export { type MappedTool, toolMap } from './tool-map.ts';
