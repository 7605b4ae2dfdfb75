import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openKeptConnection } from './kept-connection.ts'

const PING_MS = 5_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in use after garbage collection. */
function used(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

describe('a persistent connection', () => {
  afterEach(() => vi.useRealTimers())

  it('takes no more memory after a day of checking whether the server is there', async () => {
    vi.useFakeTimers()
    let pings = 0
    const connection = openKeptConnection({
      create: () => ({
        connect: async () => {},
        destroy: () => {},
        sendCommand: async () => {
          pings += 1
        },
        subscribe: async () => {},
        on: () => {},
      }),
      prepare: async () => {},
      random: () => 0,
      onUp: () => {},
      onDown: () => {},
    })
    const ask = (times: number) => vi.advanceTimersByTimeAsync(times * PING_MS)
    await ask(1_000)
    const before = used()
    for (let part = 0; part < 17; part++) await ask(1_000)
    expect(pings).toBeGreaterThan(17_000)
    expect(used() - before).toBeLessThan(2_000_000)
    vi.useRealTimers()
    await connection.close()
  })
})
