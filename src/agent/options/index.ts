export type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSpending,
  RoutingMode,
  RunningSubagent,
  TurnOptions,
} from './agent-options.ts';
export type { Lineage } from './lineage.ts';
