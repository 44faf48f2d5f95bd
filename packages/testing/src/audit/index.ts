export {
  type AuditedRequest,
  type AuditOptions,
  type AuditReport,
  auditPrefix,
  formatAuditReport,
  formatRequests,
  type PrefixBreak,
  type SettingChange,
} from './audit-prefix.ts';
export { type AuditableRequest, type Block, type BlockSection, blocksOf } from './blocks.ts';
export { type BodyTokens, countBody } from './count-body.ts';
export {
  createPromptCache,
  type InputTokens,
  type PromptCache,
  type PromptCacheOptions,
} from './prompt-cache.ts';
