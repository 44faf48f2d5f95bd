export { type Shared, Upstreams } from './upstreams.ts';
