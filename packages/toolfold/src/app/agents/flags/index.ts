export { type AgentFlags, type CacheFlag, notEmpty, ROUTINGS, withAgentFlags } from './flags.ts';
