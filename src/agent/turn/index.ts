export { intendedCalls } from './call-event.ts';
export { Generation } from './generation.ts';
export { once } from './once.ts';
export { pumped } from './pump.ts';
export {
  keepsPrefixWithoutTools,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsFor,
  roundsIn,
  roundsLeft,
  saysToolsAreOff,
  TOOLS_ARE_OFF,
  TOOLS_OFF,
  TOOLS_ON,
} from './rounds.ts';
export { gapBetween } from './step-texts.ts';
export { StreamEvents } from './stream-events.ts';
export { Turn } from './turn.ts';
export { publicUrl, turnError } from './turn-error.ts';
