export type {
  ExposureChange,
  ExposurePreview as WirePreview,
  MappedTool as WireTool,
} from '../insight/index.ts';
export {
  API,
  type WireCommand,
  type WireFile,
  type WireReply,
} from './commands.ts';
export { type Patch, patched, patchOf } from './patch.ts';
export {
  type LargeValue,
  MAX_INLINE,
  MOST_BARS,
  MOST_TURNS,
  WIRE_VERSION,
  type WireBar,
  type WireHome,
  type WireIndicator,
  type WireListed,
  type WireMap,
  type WireNote,
  type WirePrompt,
  type WireQuestion,
  type WireQuick,
  type WireServer,
  type WireSession,
  type WireState,
} from './state.ts';
