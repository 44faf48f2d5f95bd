export { differences, fingerprintOf, type Manifest, manifestKey, manifestOf } from './manifest.ts';
export { type ManifestFilesOptions, type ManifestStore, manifestFiles } from './store.ts';
