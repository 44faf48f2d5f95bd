export type { Answer, Permit, Ticket } from './permit.ts';
export type { Approval, PointCall, PolicyOptions } from './point.ts';
export { Policy } from './policy.ts';
export type { FindSetting, Setting } from './setting.ts';
