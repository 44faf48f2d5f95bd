export {
  type AuditedRequest,
  type AuditOptions,
  type AuditReport,
  auditPrefix,
  type PrefixBreak,
  type SettingChange,
} from './audit.ts';
export { formatAuditReport, formatRequests } from './audit-format.ts';
export { type AuditableRequest, type Block, type BlockSection, blocksOf } from './blocks.ts';
export { type BodyTokens, countBody } from './count-body.ts';
export {
  createPromptCache,
  type InputTokens,
  type PromptCache,
  type PromptCacheOptions,
} from './prompt-cache.ts';
