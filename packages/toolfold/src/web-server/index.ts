export type { WebOptions } from './serve.ts';
