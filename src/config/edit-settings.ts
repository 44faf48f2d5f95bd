import { applyEdits, modify } from 'jsonc-parser';

const PLACE = ['toolfold', 'approvals', 'allow'];

/** Adds a tool to `approvals.allow` in the text of a configuration file. The rest of the text does not change. */
export function withAllowed(text: string, name: string): string {
  const indent = /^(\t+| +)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const edits = modify(text, [...PLACE, -1], name, { formattingOptions, isArrayInsertion: true });
  return applyEdits(text, edits);
}
