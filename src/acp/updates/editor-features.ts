/** What an editor has said that it can show. */
export interface EditorFeatures {
  readonly notices: boolean;
  readonly compaction: boolean;
  /** Options of a session that are on or off. Others have values to choose from. */
  readonly booleans: boolean;
  /** What servers may ask of the user: the fields of a form, or also to open a page. */
  readonly elicitation: 'form' | 'url' | undefined;
}

/** What every editor can show. */
export const PLAIN: EditorFeatures = {
  notices: false,
  compaction: false,
  booleans: false,
  elicitation: undefined,
};
