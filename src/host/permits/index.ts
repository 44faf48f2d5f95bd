export type { Answer, Permit } from './permit.ts';
export type { Approval, PointCall } from './point.ts';
export { Policy } from './policy.ts';
export type { FindSetting, Setting } from './setting.ts';
