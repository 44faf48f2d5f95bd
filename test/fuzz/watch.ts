/** A request that the server refused although no failure was planned. */
export interface WireRefusal {
  readonly status: number;
  readonly body: string;
}

/** The first words of planned errors; they distinguish them from refusals. */
export const PLANNED = 'The server says';

/** A `fetch` that records refusals that were not planned. */
export function watchedFetch(refused: (refusal: WireRefusal) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const body = await response.clone().text();
    if (!body.includes(PLANNED)) refused({ status: response.status, body });
    return response;
  };
}
