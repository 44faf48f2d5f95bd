import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileTokens } from './files.ts';

suite('tokens of files', () => {
  test('images cost a stated figure, whatever their bytes', () => {
    assert.equal(fileTokens('image/png'), 1_600);
    assert.equal(fileTokens('image/png', 'A'.repeat(1_000_000)), 1_600);
  });

  test('PDFs cost a figure for each page that they show, or by their size', () => {
    const page = fileTokens('application/pdf');
    const pages = (count: number) => btoa(`%PDF ${'<</Type /Page>> '.repeat(count)}/Type /Pages`);
    assert.equal(fileTokens('application/pdf', pages(1)), page);
    assert.equal(fileTokens('application/pdf', pages(7)), 7 * page);
    assert.equal(fileTokens('application/pdf', Buffer.from(pages(7), 'base64')), 7 * page);
    assert.equal(fileTokens('application/pdf', btoa('%PDF')), page);
    assert.equal(fileTokens('application/pdf', 'A'.repeat(250_000)), 3 * page);
    assert.equal(fileTokens('application/pdf', '%%%'), page);
  });
});
