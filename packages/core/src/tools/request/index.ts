export { loadGroups } from './prepare.ts';
export {
  type Announcements,
  NO_ANNOUNCEMENTS,
  type Presentation,
  presentTurn,
} from './presentation.ts';
