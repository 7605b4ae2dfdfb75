import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from './failures.ts'
import type { Step } from './script.ts'

/** Notified of steps other than bytes. */
export interface PlayWatch {
  readonly onCut: () => void
  /** Resolves when the script may continue; rejects when the signal aborts. */
  readonly onHold: (signal: AbortSignal) => Promise<void>
}

const NOBODY: PlayWatch = { onCut: () => {}, onHold: async () => {} }

/** Sends a script step by step, no faster than the client reads. */
export async function play(
  script: Outcome,
  delayMs: number,
  response: ServerResponse,
  signal: AbortSignal = new AbortController().signal,
  { onCut, onHold }: PlayWatch = NOBODY,
): Promise<void> {
  const openHead = () => {
    if (!response.headersSent) response.writeHead(script.status, { ...script.headers, 'x-request-id': 'req_emulator' })
  }
  try {
    if (delayMs > 0) await delay(delayMs, undefined, { signal })
    for (const step of script.steps) {
      if (signal.aborted || step === 'hang') return
      if (step === 'cut') {
        onCut()
        // Earlier writes must still arrive, so the reset waits for them.
        if (response.headersSent) await drained(response)
        response.socket?.resetAndDestroy()
        return
      }
      if (step === 'hold') {
        await onHold(signal)
        continue
      }
      openHead()
      if (step === 'head') response.flushHeaders()
      else await send(step, response, signal)
    }
    openHead()
    response.end()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function send(step: Exclude<Step, string>, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if ('waitMs' in step) await (step.waitMs > 0 ? delay(step.waitMs, undefined, { signal }) : nextTurn())
  else if (!response.write(step.send)) await once(response, 'drain', { signal })
}

async function drained(response: ServerResponse): Promise<void> {
  await delay(20)
  if (response.writableNeedDrain) await once(response, 'drain')
}
