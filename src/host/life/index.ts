export { CallLife } from './life.ts';
export type { Answer, CallRecord, Permit } from './record.ts';
export { named, resolveCall, type Step } from './resolve.ts';
export type { Approval, FindSetting, Setting } from './setting.ts';
export type { PointCall, ViewTools } from './view-tools.ts';
