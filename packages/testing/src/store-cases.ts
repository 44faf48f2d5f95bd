export { type StoreCase, storeCases } from './store-cases/index.ts';
