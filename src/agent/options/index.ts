export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  EventStamp,
  QuickAnswer,
  ResumeOptions,
  RunningSubagent,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './agent-options.ts';
export type { Lineage } from './lineage.ts';
