export { isLoopback } from './access.ts';
export { type HttpGateway, type HttpOptions, serveHttp } from './http-server.ts';
