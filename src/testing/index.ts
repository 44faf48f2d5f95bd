export {
  type AuditedRequest,
  type AuditOptions,
  type AuditReport,
  auditPrefix,
  type PrefixBreak,
  type SettingChange,
} from './audit.ts';
export { formatAuditReport } from './audit-format.ts';
export { type AuditableRequest, type Block, type BlockSection, blocksOf } from './blocks.ts';
export { type BodyTokens, countBody } from './count-body.ts';
export { type FakeGroup, type FakeGroupOptions, fakeGroup } from './fake-group.ts';
export { type FakeToolOptions, fakeTool, fakeTools } from './fake-tools.ts';
export { type FakeMcpServer, type McpServerOptions, startMcpServer } from './mcp-server.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';
export type { RecordedRequest, WireProvider } from './recorded-request.ts';
export type { Reply, ReplyCall, ReplyFinish } from './reply.ts';
