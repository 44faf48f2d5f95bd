export { ACCEPTED_TOOLS, type AcceptedToolsRow } from './accepted-tools.ts';
export { CACHING, type CacheMarks, type MarkOption, type ModelCaching } from './caching.ts';
export { CAPABILITIES, type ModelCapability, type NativeForm } from './capabilities.ts';
export {
  acceptedToolsOf,
  cachingOf,
  hasStrictTurns,
  isOptionOf,
  type ModelIdentity,
  modelFromName,
  NARROWED_CHOICES,
  type NarrowedChoice,
  narrowedChoiceOf,
  nativeFormsOf,
  nativeRowOf,
  type OwnCapability,
  type OwnPrices,
  type OwnResultFiles,
  pricesOf,
  resultFilesOf,
  splitModelName,
} from './lookup.ts';
export { type ModelPrices, PRICES } from './prices.ts';
export { RESULT_FILES, type ResultFiles } from './result-files.ts';
