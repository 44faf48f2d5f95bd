export { Meter, type TokenPrice, type Usage } from './meter.ts';
export { Ledger, plus } from './spending.ts';
