export { backticks } from './backticks.ts';
export {
  beginning,
  MAX_SHOWN,
  refusalWords,
  type ShownPart,
  shownArguments,
  shownParts,
  shownText,
  shownValue,
  textOfParts,
} from './shown-value.ts';
