import { createServer } from 'node:net'

export function freePort(): Promise<number> {
  return probe(0)
}

/** A free loopback port below the ephemeral range, so that a restarted server can use it again. */
export async function keptPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = KEPT_FROM + Math.floor(Math.random() * (KEPT_TO - KEPT_FROM))
    const found = await probe(port).catch(() => undefined)
    if (found !== undefined) return found
  }
  throw new Error('no free port')
}

const KEPT_FROM = 12_000
const KEPT_TO = 32_000

function probe(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port')),
      )
    })
  })
}
