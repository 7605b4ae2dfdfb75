import { beforeEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, GatewayProcesses, type ReadyGateway } from './gateway-processes.ts'

interface FakeProcess extends GatewayProcess {
  readonly stops: () => number
  becomeReady(): void
  end(code: number): void
}

let started: FakeProcess[] = []
let waits: { readonly ms: number; readonly go: () => void }[] = []
let now = 0
let errors: object[] = []
let processes: GatewayProcesses

function start(): FakeProcess {
  const ready = Promise.withResolvers<ReadyGateway | undefined>()
  const ended = Promise.withResolvers<number>()
  let stops = 0
  const fake: FakeProcess = {
    pid: started.length + 1,
    ready: ready.promise,
    ended: ended.promise,
    stop: () => void (stops += 1),
    stops: () => stops,
    becomeReady: () => ready.resolve({ greeting: `ready ${fake.pid}`, page: '' }),
    end: (code) => {
      ready.resolve(undefined)
      ended.resolve(code)
    },
  }
  started.push(fake)
  return fake
}

const at = (number: number): FakeProcess => {
  const found = started[number - 1]
  if (found === undefined) throw new Error(`process ${number} was not started`)
  return found
}
const isStarted = (number: number) => expect.poll(() => started.length).toBe(number)

beforeEach(() => {
  started = []
  waits = []
  errors = []
  now = 0
  processes = new GatewayProcesses({
    count: 3,
    start,
    now: () => now,
    pause: (ms) => new Promise((go) => waits.push({ ms, go })),
    log: { info: () => {}, error: (fields) => void errors.push(fields) },
  })
})

async function openAll(): Promise<void> {
  const opened = processes.open()
  at(1).becomeReady()
  await isStarted(3)
  at(3).becomeReady()
  at(2).becomeReady()
  expect(await opened).toEqual({ greeting: 'ready 1', page: '' })
}

describe('a start', () => {
  it('begins with one, which migrates the database, and goes on with the others', async () => {
    const opened = processes.open()
    expect(started).toHaveLength(1)
    at(1).becomeReady()
    await isStarted(3)
    at(2).becomeReady()
    at(3).becomeReady()
    expect(await opened).toMatchObject({ greeting: 'ready 1' })
  })

  it('ends with the exit code of the first when that cannot start', async () => {
    const opened = processes.open()
    at(1).end(3)
    expect(await opened).toBe(3)
    expect(started).toHaveLength(1)
  })

  it('ends the others when one of them cannot start', async () => {
    const opened = processes.open()
    at(1).becomeReady()
    await isStarted(3)
    at(2).end(1)
    await expect.poll(() => [at(1).stops(), at(3).stops()]).toEqual([1, 1])
    at(1).end(0)
    at(3).end(0)
    expect(await opened).toBe(1)
  })

  it('that is stopped meanwhile starts no others', async () => {
    const opened = processes.open()
    void processes.stop()
    at(1).becomeReady()
    at(1).end(0)
    expect(await opened).toBe(0)
    expect(started).toHaveLength(1)
  })
})

describe('a process that ends unasked', () => {
  it('is replaced, after a pause that grows while none lives', async () => {
    await openAll()
    for (const ms of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      at(started.length === 3 ? 2 : started.length).end(1)
      const count = started.length
      await expect.poll(() => waits.at(-1)?.ms).toBe(ms)
      waits.pop()?.go()
      await isStarted(count + 1)
    }
    now += 60_000
    at(started.length).end(1)
    await expect.poll(() => waits.at(-1)?.ms).toBe(500)
    expect(errors).toHaveLength(9)
  })

  it('is not replaced during a stop, whose result is the code of one that failed', async () => {
    await openAll()
    const stopped = processes.stop()
    at(1).end(0)
    at(2).end(7)
    at(3).end(0)
    expect(await stopped).toBe(7)
    expect(started).toHaveLength(3)
    expect(errors).toEqual([])
  })
})

describe('a stop', () => {
  it('asks each process once, also one on its way in and one on its way out, until somebody insists', async () => {
    await openAll()
    void processes.restart()
    await isStarted(4)
    at(4).becomeReady()
    await expect.poll(() => at(1).stops()).toBe(1)
    const stopped = processes.stop()
    expect(processes.stop()).toBe(stopped)
    expect(started.map(({ stops }) => stops())).toEqual([1, 1, 1, 1])
    processes.insist()
    expect(started.map(({ stops }) => stops())).toEqual([2, 2, 2, 2])
    for (const each of started) each.end(0)
    expect(await stopped).toBe(0)
    expect(started).toHaveLength(4)
  })

  it('ends a successor that is not ready yet', async () => {
    await openAll()
    const restarted = processes.restart()
    await isStarted(4)
    const stopped = processes.stop()
    expect(at(4).stops()).toBe(1)
    for (const each of started) each.end(0)
    await restarted
    expect([await stopped, started.length]).toEqual([0, 4])
  })

  it('goes well although a process had failed before', async () => {
    await openAll()
    at(2).end(1)
    await expect.poll(() => waits.length).toBe(1)
    const stopped = processes.stop()
    at(1).end(0)
    at(3).end(0)
    expect(await stopped).toBe(0)
  })
})

describe('a restart', () => {
  it('replaces one after the other, each when its successor is ready', async () => {
    await openAll()
    const restarted = processes.restart()
    expect(processes.restart()).toBe(restarted)
    for (const place of [1, 2, 3]) {
      await isStarted(3 + place)
      expect(at(place).stops()).toBe(0)
      at(3 + place).becomeReady()
      await expect.poll(() => at(place).stops()).toBe(1)
      at(place).end(0)
    }
    await restarted
    expect([started.length, errors, waits]).toEqual([6, [], []])
    at(5).end(1)
    await expect.poll(() => waits.length).toBe(1)
  })

  it('leaves those alone that run when a successor does not start', async () => {
    await openAll()
    const restarted = processes.restart()
    await isStarted(4)
    at(4).end(1)
    await restarted
    expect([started.length, at(1).stops(), errors]).toEqual([4, 0, [expect.objectContaining({ pid: 4 })]])
  })
})
