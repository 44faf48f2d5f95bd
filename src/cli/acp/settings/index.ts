export { type Choices, firstChoices, keptChoices } from './choices.ts';
export { modelOf } from './config-options.ts';
export { SessionSettings } from './session-settings.ts';
