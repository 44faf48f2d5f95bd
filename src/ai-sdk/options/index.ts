export type {
  Ceiling,
  DeferredName,
  Fold,
  FoldFields,
  FoldOptions,
  FoldTools,
  SdkToolGroup,
  WithOptions,
} from './fold-options.ts';
export { checkFoldOptions, checkWithOptions, FOLD_OPTIONS } from './options-check.ts';
