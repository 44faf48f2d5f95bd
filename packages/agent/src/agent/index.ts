export { createAgent, createWorker } from './agent.ts';
