import type { Frame } from '../canon/codec.ts'
import { openAwsFrames } from './aws-event-stream.ts'
import { EVENT_LIMIT, openSseParser } from './sse.ts'

/** How a provider cuts its stream into messages. */
export type Framing = 'sse' | 'aws-event-stream'

/** Cuts bytes into frames. Never throws; holds at most one frame, of at most 16 MiB. */
export interface FrameReader {
  push(chunk: Uint8Array): readonly Frame[]
  readonly fault: string | undefined
  /** Call at the end of input: returns a frame that lacks only its end marker, if any. */
  end(): readonly Frame[]
}

export function openFrames(framing: Framing): FrameReader {
  switch (framing) {
    case 'sse':
      return openSseFrames()
    case 'aws-event-stream':
      return openAwsFrames()
  }
}

const BLANK_LINE = new TextEncoder().encode('\n\n')

/** Reads event streams. Returns the last event even without its blank line, which some vendors omit. */
export function openSseFrames(limit: number = EVENT_LIMIT): FrameReader {
  const parser = openSseParser({ limit })
  const read = (chunk: Uint8Array): readonly Frame[] =>
    parser.push(chunk).map(({ event, data }) => ({ name: event === 'message' ? '' : event, data }))
  return {
    push: read,
    end: () => read(BLANK_LINE),
    get fault() {
      return parser.overflowed ? `one event exceeds ${limit} bytes` : undefined
    },
  }
}
