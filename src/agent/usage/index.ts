export { Meter, type Usage } from './meter.ts';
export { Accounts, Ledger, plus } from './spending.ts';
export { readUsage } from './usage.ts';
