export { serveStreams } from './front/index.ts';
export { Gateway, type GatewayOptions } from './gateway.ts';
export { GRACE, isLoopback, serveHttp } from './http/index.ts';
export type { Mode } from './lists/index.ts';
