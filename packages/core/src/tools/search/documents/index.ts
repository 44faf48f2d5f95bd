export { DocumentVectors } from './document-vectors.ts';
export { type IndexedTool, ToolIndex } from './tool-index.ts';
export { type Scored, TopDocuments } from './top-documents.ts';
export { View } from './view.ts';
