export {
  type Active,
  type ActiveNote,
  ALL_ACTIVE,
  activeOf,
  isActive,
  isAll,
  type Offer,
  viewOfNote,
} from './active.ts';
export { describeActive } from './active-notice.ts';
