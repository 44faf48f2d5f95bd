export { storeCases } from './store-cases.ts';
export type { LeaseClock, StoreCase, TestedStore } from './writer.ts';
