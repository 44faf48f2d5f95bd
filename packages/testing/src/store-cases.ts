export {
  type LeaseClock,
  type StoreCase,
  storeCases,
  type TestedStore,
} from './store-cases/index.ts';
