export {
  CATALOG_BUDGET,
  type Catalog,
  type CatalogGroup,
  type CatalogOptions,
  catalogBudget,
  renderCatalog,
} from './catalog.ts';
export { describeChange, LIST_RESTORED, listed, listTools, type ToolList } from './tool-list.ts';
