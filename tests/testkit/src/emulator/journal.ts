import type { ServerResponse } from 'node:http'

/** What reached the emulator. */
export interface Journal {
  /** The last calls, oldest first; at most 200. */
  readonly calls: readonly Call[]
  /** Counts since the start. */
  readonly received: number
  readonly completed: number
  /** Calls whose client left before the answer was complete. */
  readonly abandoned: number
  /** Bytes of all bodies and frames that arrived. */
  readonly bytes: number
  /** Calls received, by place; those without a place are under ''. */
  readonly places: Readonly<Record<string, number>>
}

export interface Call {
  /** Empty for calls without a place. */
  readonly place: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** `open` at first, then finally one of the others. */
  readonly state: 'open' | 'completed' | 'cut' | 'abandoned'
}

const JOURNAL_CALLS = 200

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type OpenJournal = Omit<Mutable<Journal>, 'calls' | 'places'> & {
  calls: Mutable<Call>[]
  places: Record<string, number>
}

export function openJournal(): OpenJournal {
  return { calls: [], received: 0, completed: 0, abandoned: 0, bytes: 0, places: {} }
}

/** A recorded call, which is followed to its end. */
export interface FollowedCall {
  /** Counts from 1. */
  readonly number: number
  /** The call ends with the response, whichever side ends that. */
  readonly gone: AbortSignal
  /** The connection is reset by us. */
  cut(): void
}

export function followCall(
  journal: OpenJournal,
  { place, headers, body }: Omit<Call, 'state'>,
  response: ServerResponse,
): FollowedCall {
  const number = ++journal.received
  journal.places[place] = (journal.places[place] ?? 0) + 1
  const call: Mutable<Call> = { place, headers, body, state: 'open' }
  journal.calls.push(call)
  if (journal.calls.length > JOURNAL_CALLS) journal.calls.shift()
  const gone = new AbortController()
  response.on('close', () => {
    if (response.writableFinished) {
      call.state = 'completed'
      journal.completed++
    } else if (call.state === 'open') {
      call.state = 'abandoned'
      journal.abandoned++
    }
    gone.abort()
  })
  return {
    number,
    gone: gone.signal,
    cut: () => {
      call.state = 'cut'
    },
  }
}
