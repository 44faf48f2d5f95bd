export {
  choiceOf,
  configOptions,
  contextWindowOf,
  type OptionSources,
} from './config-options.ts';
