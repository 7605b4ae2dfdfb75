import type { Call } from '../../../lib/http/call.ts'
import { randomUuid } from '../../../lib/random/uuid.ts'
import type { PlaygroundParts } from '../engine/playground.ts'
import { createReceiptOf } from './receipt.ts'
import { createAsk } from './reply-stream.ts'

type ConnectedParts = Pick<PlaygroundParts, 'ask' | 'receiptOf' | 'now' | 'newId' | 'onFrame'>

/** What a playground needs of gateway and browser. */
export function connectedParts(call: Call): ConnectedParts {
  return {
    ask: createAsk({ fetch: (url, init) => fetch(url, init), after }),
    receiptOf: createReceiptOf(call, pause),
    now: () => Date.now(),
    newId: () => randomUuid((bytes) => crypto.getRandomValues(bytes)),
    onFrame: (draw) => {
      const frame = requestAnimationFrame(draw)
      return () => cancelAnimationFrame(frame)
    },
  }
}

function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(milliseconds, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })
}
