export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSpending,
  AgentToolOptions,
  EventStamp,
  ResumeOptions,
  RunningSubagent,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './agent-options.ts';
export type { Lineage } from './lineage.ts';
