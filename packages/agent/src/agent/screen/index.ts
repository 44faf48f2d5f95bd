export { createScreen, type Screen, screenOf } from './screen.ts';
export type {
  CallDraft,
  CallLive,
  CallStatus,
  ScreenApproval,
  ScreenBlock,
  ScreenCall,
  ScreenChild,
  ScreenEnd,
  ScreenNotice,
  ScreenText,
  ScreenTurn,
  ScreenView,
} from './view.ts';
