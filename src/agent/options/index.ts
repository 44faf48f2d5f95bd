export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  AskedUnknownCall,
  EventStamp,
  QuickAnswer,
  ResumeOptions,
  RunningSubagent,
  SendOptions,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './agent-options.ts';
export type { Lineage } from './lineage.ts';
