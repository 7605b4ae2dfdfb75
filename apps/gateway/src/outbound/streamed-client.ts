import type { AddressGuard } from './address-guard.ts'
import { openGuardedAgent, type StageTimeouts } from './guarded-agent.ts'
import { faultKind, faultOf, readAddress, singleValues } from './guarded-client.ts'
import type { FetchFault } from './guarded-fetch.ts'

/** A call whose reply is too large for memory. */
export interface StreamedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute, http or https, without user name and password. */
  readonly url: string
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  readonly body?: Uint8Array
  /** Ends the call, even while its body is being read. */
  readonly signal: AbortSignal
}

export interface StreamedReply {
  readonly ok: true
  /** Any status; redirects are not followed. */
  readonly status: number
  /** Lower-case names; the first value of a repeated name. */
  readonly headers: Readonly<Record<string, string>>
  /** Must be read to its end or abandoned, which closes the connection. Throws `BrokenReply` when it breaks off. */
  readonly body: AsyncIterable<Buffer>
}

export interface StreamedClient {
  /** Never rejects. */
  readonly fetch: (request: StreamedRequest) => Promise<StreamedReply | FetchFault>
  close(): Promise<void>
}

/** Every stage of a call has a time-out; only its signal limits the total time. */
export function openStreamedClient(guard: AddressGuard, timeouts: StageTimeouts, connections: number): StreamedClient {
  const agent = openGuardedAgent(guard, timeouts, connections)
  const fetch: StreamedClient['fetch'] = async ({ url, method, headers, body, signal }) => {
    const address = readAddress(url)
    if (address === undefined) return faultOf('address')
    try {
      const response = await agent.request({
        origin: address.origin,
        path: `${address.pathname}${address.search}`,
        method,
        headers: [...headers],
        body: body ?? null,
        signal,
      })
      return {
        ok: true,
        status: response.statusCode,
        headers: singleValues(response.headers),
        body: readable(response.body, signal),
      }
    } catch (error) {
      return faultOf(signal.aborted ? 'cancelled' : faultKind(error))
    }
  }
  return { fetch, close: () => agent.destroy() }
}

async function* readable(body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw new BrokenReply(faultOf(signal.aborted ? 'cancelled' : faultKind(error)))
  }
}

export class BrokenReply extends Error {
  override readonly name = 'BrokenReply'
  readonly fault: FetchFault

  constructor(fault: FetchFault) {
    super(fault.reason)
    this.fault = fault
  }
}
