export { withPages } from './pages.ts';
export { type Salvaged, salvage } from './salvage.ts';
