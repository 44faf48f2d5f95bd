export { type FakeGroup, type FakeGroupOptions, fakeGroup } from './fake-group.ts';
export { type FakeToolOptions, fakeTool, fakeTools } from './fake-tools.ts';
export {
  type FakeCallResult,
  type FakeMcpServer,
  type FakeTransport,
  type McpServerOptions,
  startMcpServer,
} from './mcp-server.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type Reply,
  type ReplyCall,
  type ReplyFinish,
  startModelServer,
} from './model-server.ts';
export { type RecordedCall, type RecordFetchOptions, recordFetch } from './record-fetch.ts';
