export { searchCommand } from './search.ts';
