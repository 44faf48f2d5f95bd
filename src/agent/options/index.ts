export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSpending,
  AgentToolOptions,
  RunningSubagent,
  TurnOptions,
} from './agent-options.ts';
export type { Lineage } from './lineage.ts';
