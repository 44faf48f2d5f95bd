export { Best, type Scored } from './best.ts';
export { DocumentVectors } from './document-vectors.ts';
export { type IndexedTool, ToolIndex } from './tool-index.ts';
export { View } from './view.ts';
