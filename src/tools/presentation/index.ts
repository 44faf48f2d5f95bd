export { loadGroups } from './prepare.ts';
export { NOTHING_TOLD, type Presentation, presentTurn, type Told } from './presentation.ts';
