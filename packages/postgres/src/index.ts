export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './store/index.ts';
