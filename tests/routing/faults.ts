export interface Fault {
  readonly name: string
  /** The emulator model that fails like this, or an address without an emulator. */
  readonly as: string | { readonly address: string }
  /** When it appears: with the first answer, or in the middle of a stream. A plain answer is whole or not. */
  readonly shows: 'before' | 'inside' | 'never'
  /** Only streams can fail like this. */
  readonly isOfStreams?: true
  /** Whose fault it is: a fault of the request is never tried elsewhere. */
  readonly whose?: 'request'
  /** Seconds for which the provider asks not to be called. */
  readonly waits?: number
}

/** Nothing listens on port 1. */
const CLOSED_PORT = 'http://127.0.0.1:1'
/** No resolver knows it (RFC 6761). */
const NO_HOST = 'http://no-such-host.invalid'

export const FAULTS: readonly Fault[] = [
  { name: 'connection refused', as: { address: CLOSED_PORT }, shows: 'before' },
  { name: 'name is not known (DNS)', as: { address: NO_HOST }, shows: 'before' },
  { name: 'reset before the answer', as: 'emu-cut-before', shows: 'before' },
  { name: 'silence before the answer', as: 'emu-stall-before', shows: 'before' },
  { name: 'silence after the head', as: 'emu-stall-head', shows: 'before' },
  { name: 'a web page with status 200', as: 'emu-html', shows: 'before' },
  { name: 'an error with status 200', as: 'emu-error-in-200', shows: 'before' },
  { name: '401', as: 'emu-error-401', shows: 'before' },
  { name: '402', as: 'emu-error-402', shows: 'before' },
  { name: '403', as: 'emu-error-403', shows: 'before' },
  { name: '429, nothing said', as: 'emu-limited', shows: 'before' },
  { name: '429, Retry-After: 7', as: 'emu-limited-7', shows: 'before', waits: 7 },
  { name: '429, Retry-After: a date 30 s ahead', as: 'emu-limited-date-30', shows: 'before', waits: 30 },
  { name: '429, retry-after-ms: 2500', as: 'emu-limited-ms-2500', shows: 'before', waits: 2.5 },
  { name: '429, the account is spent', as: 'emu-spent', shows: 'before' },
  { name: '500', as: 'emu-error-500', shows: 'before' },
  { name: '503, Retry-After: 2', as: 'emu-error-503', shows: 'before', waits: 2 },
  { name: '529', as: 'emu-error-529', shows: 'before' },
  { name: '400', as: 'emu-error-400', shows: 'before', whose: 'request' },
  { name: 'reset in the middle', as: 'emu-cut-mid', shows: 'inside' },
  { name: 'ends in the middle', as: 'emu-end-mid', shows: 'inside', isOfStreams: true },
  { name: 'silence in the middle', as: 'emu-stall', shows: 'inside' },
  { name: 'a frame that is not JSON', as: 'emu-malformed', shows: 'inside' },
  { name: 'an error in the middle', as: 'emu-error-in-stream', shows: 'inside', isOfStreams: true },
  { name: 'a byte at a time', as: 'emu-trickle-1', shows: 'never' },
]

export const MIDDLE_FAULTS = FAULTS.filter(({ shows }) => shows === 'inside')
