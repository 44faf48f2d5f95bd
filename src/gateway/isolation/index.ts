export type { ClientClass } from './client-class.ts';
export { type Shared, Upstreams, type UpstreamsOptions } from './upstreams.ts';
