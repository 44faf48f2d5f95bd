export { type AgentFlags, notEmpty, ROUTINGS, withAgentFlags } from './flags.ts';
