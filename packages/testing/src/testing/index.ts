export type { RecordedRequest, WireProvider } from '../wire/index.ts';
export {
  type AuditableRequest,
  type AuditedRequest,
  type AuditOptions,
  type AuditReport,
  auditPrefix,
  type Block,
  type BlockSection,
  type BodyTokens,
  blocksOf,
  countBody,
  createPromptCache,
  formatAuditReport,
  type InputTokens,
  type PrefixBreak,
  type PromptCache,
  type PromptCacheOptions,
  type SettingChange,
} from './audit/index.ts';
export { type FakeGroup, type FakeGroupOptions, fakeGroup } from './fake-group.ts';
export { type FakeToolOptions, fakeTool, fakeTools } from './fake-tools.ts';
export {
  type FakeCallResult,
  type FakeMcpServer,
  type FakeTransport,
  type McpServerOptions,
  startMcpServer,
} from './mcp-server.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';
export { type RecordedCall, type RecordFetchOptions, recordFetch } from './recorder/index.ts';
export type { Reply, ReplyCall, ReplyFinish } from './reply.ts';
export { type StoreCase, storeCases } from './store-cases/index.ts';
