export { stripControls } from './strip-controls.ts';
