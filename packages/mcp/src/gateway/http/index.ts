export { isLoopback } from './access.ts';
export { GRACE, serveHttp } from './http-server.ts';
