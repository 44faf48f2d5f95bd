export { LazyLibrary } from './lazy-library.ts';
