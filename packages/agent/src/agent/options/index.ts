export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  AskedUnknownCall,
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
} from './agent-options.ts';
export { configured, settingsKept, settingsToKeep } from './configured.ts';
export { identify, modelName, settingsOf } from './model-identity.ts';
