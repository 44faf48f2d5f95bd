export { isLoopback } from './access.ts';
export { serveHttp } from './http-server.ts';
