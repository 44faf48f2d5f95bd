export {
  beginning,
  MAX_SHOWN,
  type ShownPart,
  shownArguments,
  shownParts,
  shownText,
  shownValue,
  textOfParts,
} from './shown-value.ts';
