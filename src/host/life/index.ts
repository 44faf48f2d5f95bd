export { CallLife } from './life.ts';
export type {
  Approval,
  CallRecord,
  FindSetting,
  HostCall,
  HostView,
  Permit,
  Setting,
  UserApproval,
} from './record.ts';
export { recordOf } from './records.ts';
export { resolveCall, type Step } from './resolve.ts';
