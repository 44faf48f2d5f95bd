export {
  ApprovalPolicy,
  approvalScopes,
  checkAnswers,
  goesOn,
  isAllowedCall,
  withinScope,
} from './approvals.ts';
export { callHost, Elicitations } from './elicitations.ts';
export {
  type InboxBodies,
  inboxMessage,
  MAX_ID,
  type Remote,
  RemoteAnswers,
  readUserMessage,
  SteeringQueue,
  takeMessage,
} from './inbox.ts';
export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  AskedUnknownCall,
  AskOptions,
  EventStamp,
  Lineage,
  QuickAnswer,
  ResumeOptions,
  RunningSubagent,
  SdkSettings,
  SendOptions,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './options.ts';
export {
  configured,
  identify,
  modelName,
  settingsKept,
  settingsOf,
  settingsToKeep,
} from './settings.ts';
