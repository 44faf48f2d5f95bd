export { Accounts } from './accounts.ts';
export { Meter, type Usage } from './meter.ts';
export { Ledger, plus } from './spending.ts';
export { readUsage } from './usage.ts';
