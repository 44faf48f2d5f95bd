/** A request that the server would not take though nothing was planned to fail. */
export interface WireRefusal {
  readonly status: number;
  readonly body: string;
}

/** How planned errors begin, so that they are told from refusals. */
export const PLANNED = 'The server says';

/** A `fetch` that notes what the server refused by itself. */
export function watchedFetch(refused: (refusal: WireRefusal) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const body = await response.clone().text();
    if (!body.includes(PLANNED)) refused({ status: response.status, body });
    return response;
  };
}
