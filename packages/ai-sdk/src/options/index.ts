export type {
  Ceiling,
  DeferredName,
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
} from './fold-options.ts';
export { followGroups, groupsNow } from './live-groups.ts';
export { checkFoldOptions, checkWithOptions, FOLD_OPTIONS } from './options-check.ts';
