export { FOLD_OPTIONS } from './check-options.ts';
export { createFold } from './fold.ts';
export type {
  Ceiling,
  Fallback,
  Fold,
  FoldExplanation,
  FoldFields,
  FoldOptions,
  FoldTools,
  LiveGroups,
  LoadsIn,
  SdkToolGroup,
  WithOptions,
} from './options.ts';
