import type { ServerResponse } from 'node:http'

export interface Journal {
  /** At most the last 200 calls, oldest first. */
  readonly calls: readonly Call[]
  readonly received: number
  readonly completed: number
  /** Calls whose client disconnected before the answer was complete. */
  readonly abandoned: number
  readonly bytes: number
  /** Calls by place; those outside all places under ''. */
  readonly places: Readonly<Record<string, number>>
}

export interface Call {
  readonly place: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** `open`, then permanently one of the others. */
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

export interface FollowedCall {
  readonly number: number
  /** Aborts when the response ends, whichever side ends it. */
  readonly gone: AbortSignal
  /** Call this when the emulator resets the connection. */
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
