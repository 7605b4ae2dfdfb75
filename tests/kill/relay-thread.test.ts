import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareGateway } from './world.ts'

/** A fault in one of the threads that relay, planted by a module that Node loads before ours in every thread. */
const REQUESTS = 20

let dataDir: string
let emulator: Emulator

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-thread-'))
  emulator = await startEmulator()
})
afterEach(async () => {
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The environment of a gateway with two relay threads, in which each runs `code` as well. */
async function withFault(code: string): Promise<Readonly<Record<string, string>>> {
  const file = join(dataDir, 'fault.mjs')
  await writeFile(
    file,
    `import { isMainThread, threadName } from 'node:worker_threads'
     import { existsSync, rmSync } from 'node:fs'
     if (!isMainThread && threadName === 'sluice-relay') { ${code} }`,
  )
  return { SLUICE_RELAY_THREADS: '2', NODE_OPTIONS: `--import=${pathToFileURL(file).href}` }
}

test('a relay thread that ends takes the process with it, after the answers of the others, and all of those are charged', async () => {
  const trigger = join(dataDir, 'now')
  const env = await withFault(
    `setInterval(() => {
       if (!existsSync(${JSON.stringify(trigger)})) return
       try { rmSync(${JSON.stringify(trigger)}) } catch { return }
       throw new Error('planted')
     }, 5)`,
  )
  const gateway = await startGateway({ dataDir, env })
  const [key = ''] = await prepareGateway(gateway.url, emulator.url)
  const chat = async (): Promise<boolean> => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'emu-pace-400-5', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    return (await reply.text()).includes('[DONE]')
  }
  const calls = Promise.allSettled(Array.from({ length: REQUESTS }, chat))
  await expect.poll(() => emulator.journal.calls.length).toBe(REQUESTS)
  await writeFile(trigger, '')
  const outcomes = await calls
  await expect.poll(() => gateway.output()).toContain('Sluice stops (failure)')
  expect(gateway.output()).toContain('a relay thread failed unexpectedly')
  // It ends without being asked.
  await expect.poll(() => isRunning(gateway.pid)).toBe(false)
  expect(await gateway.stop()).toBe(1)

  const whole = outcomes.filter((each) => each.status === 'fulfilled' && each.value).length
  // Each request came on a connection of its own, and the system spread them.
  expect(whole).toBeGreaterThan(0)
  expect(whole).toBeLessThan(REQUESTS)
  const next = await startGateway({ dataDir })
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const holds = () => database.kysely.selectFrom('hold').select('request_id').execute()
  await expect.poll(holds, { timeout: 20_000 }).toEqual([])
  const charges = await database.kysely.selectFrom('transfer').select('amount').where('kind', '=', 'consume').execute()
  await database.close()
  await next.stop()
  expect(charges.length).toBeGreaterThanOrEqual(whole)
  expect(await runSluice(['ledger', 'verify'], { dataDir })).toMatchObject({ code: 0 })
})

test('a fault at the start of a relay thread is named, and the process ends', async () => {
  const { code, output } = await runSluice(['serve'], {
    dataDir,
    env: { PORT: '0', ...(await withFault(`throw new Error('planted')`)) },
  })
  expect([code, output]).toEqual([1, expect.stringContaining('planted')])
  expect(output).not.toContain('is ready')
})
