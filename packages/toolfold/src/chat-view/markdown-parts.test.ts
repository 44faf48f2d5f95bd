import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  cuts,
  growing,
  longBlock,
  markdownText,
} from '../../test/chat-view/markdown.test-support.ts';
import { type MarkdownParts, NO_PARTS, splitMarkdown } from './markdown-parts.ts';

const joined = ({ done, last }: MarkdownParts) => [...done, last].map(({ text }) => text).join('');
const texts = ({ done, last }: MarkdownParts) => [...done, last].map(({ text }) => text);
const anyText = fc.oneof(markdownText, longBlock);

describe('parts of a Markdown text', () => {
  test('are the text again, however it grew', () => {
    fc.assert(
      fc.property(anyText, cuts, (text, at) => {
        let parts = NO_PARTS;
        for (const beginning of growing(text, at)) {
          parts = splitMarkdown(beginning, parts);
          assert.equal(joined(parts), beginning);
        }
        assert.deepEqual(parts, splitMarkdown(text));
      }),
      { numRuns: 100 },
    );
  });

  test('that are done never change', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        const before = splitMarkdown(text);
        const after = splitMarkdown(text + more, before);
        assert.deepEqual(after.done.slice(0, before.done.length), before.done);
      }),
      { numRuns: 100 },
    );
  });

  test('are one for each block that does not belong to the one before', () => {
    const split = (text: string) => texts(splitMarkdown(text));
    assert.deepEqual(split('One.\n\nTwo.\n\n- a\n\n- b\n\nThree.\n'), [
      'One.\n\n',
      'Two.\n\n',
      '- a\n\n- b\n\n',
      'Three.\n',
    ]);
    assert.deepEqual(split('```\na\n\nb\n```\n\nText.\n'), ['```\na\n\nb\n```\n\n', 'Text.\n']);
    assert.deepEqual(split('~~~\n```\n\nx\n~~~\n\nText.\n'), ['~~~\n```\n\nx\n~~~\n\n', 'Text.\n']);
    assert.deepEqual(split('``` code ``` in a line\n\nText.\n'), [
      '``` code ``` in a line\n\n',
      'Text.\n',
    ]);
  });

  test('are bounded, whatever block goes on', () => {
    const lines = ['line', '- item', '1. item', '> quote', '| a | b |', '    code', 'a\n'];
    for (const line of lines) {
      for (const before of ['', '```\n', '| a | b |\n|---|---|\n', 'Words.\n\n']) {
        const parts = splitMarkdown(`${before}${`${line}\n`.repeat(2_000)}`);
        for (const text of texts(parts))
          assert.ok(text.split('\n').length <= 1_003, `${before}${line}`);
      }
    }
    for (const word of ['x', 'x ', '😀', '漢']) {
      const parts = splitMarkdown(word.repeat(70_000));
      assert.equal(joined(parts), word.repeat(70_000));
      for (const text of texts(parts))
        assert.ok(text.length <= 60_000 && text.isWellFormed(), word);
    }
  });

  test('end at lines that are indented only if they are very long', () => {
    const row = `  <td>${'x'.repeat(300)}</td>\n`;
    assert.equal(texts(splitMarkdown(`<tr>\n${row.repeat(200)}`)).length, 1);
    assert.ok(texts(splitMarkdown(`<tr>\n${row.repeat(2_000)}`)).length > 1);
  });

  test('are few: a text that grows by lines is read about once', () => {
    let parts = NO_PARTS;
    let text = '';
    let read = 0;
    for (let at = 0; at < 10_000; at += 1) {
      text += at % 7 === 6 ? '\n' : `x${at}\n`;
      read += text.length - parts.at;
      parts = splitMarkdown(text, parts);
    }
    assert.ok(read < text.length * 10, `${read} characters for ${text.length}`);
  });
});
