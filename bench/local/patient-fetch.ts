/**
 * `fetch` without its limit of five minutes for the first header. A slow processor may need longer.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export const patientFetch: typeof fetch = async (input, init = {}) => {
  const { method = 'GET', headers, body, signal } = init;
  const sent = request(String(input), {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(signal ? { signal } : {}),
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('There was no response.');
  return new Response(await text(response), {
    status: response.statusCode ?? 500,
    headers: { 'content-type': response.headers['content-type'] ?? '' },
  });
};
