export { storeCases } from './store-cases.ts';
export type { StoreCase } from './writer.ts';
