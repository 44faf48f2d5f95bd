export { type Choices, firstChoices, keptChoices } from './choices.ts';
export { configOptions, modelOf, type OptionSources, withChoice } from './config-options.ts';
