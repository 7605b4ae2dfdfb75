// @module-tag postgres
import { setTimeout as delay } from 'node:timers/promises'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openSharedRunning, type SharedRunning } from './running-calls.ts'

interface Call {
  readonly id: string
  readonly userId: number
}

let database: TestDatabase
let opened: SharedRunning<Call>[]
let errors: unknown[]

beforeAll(async () => {
  database = await openTestDatabase('postgres')
})
beforeEach(async () => {
  await database.reset()
  opened = []
  errors = []
})
afterEach(() => {
  for (const each of opened) each.close()
  expect(errors).toEqual([])
})
afterAll(() => database.close())

/** A replica that serves these calls, and checks every 20 ms for what the others ask for. */
function replica(name: string, calls: Call[], replicas = 2): SharedRunning<Call> {
  const shared = openSharedRunning<Call>({
    database,
    replica: name,
    replicas: () => replicas,
    list: () => Promise.resolve(calls),
    stop: (id, userId) => {
      const at = calls.findIndex((call) => call.id === id && (userId === undefined || call.userId === userId))
      if (at !== -1) calls.splice(at, 1)
      return Promise.resolve(at !== -1)
    },
    read: (value) => (typeof value === 'object' && value !== null && 'userId' in value ? (value as Call) : undefined),
    every: (_, task) => {
      const timer = setInterval(task, 20)
      return () => clearInterval(timer)
    },
    pause: () => delay(20),
    onError: (error) => errors.push(error),
  })
  opened.push(shared)
  return shared
}

it('a list shows what the other replica serves, from the first time on', async () => {
  const one = replica('r1', [])
  replica('r2', [{ id: 'a', userId: 1 }])
  expect(await one.others()).toEqual([{ id: 'a', userId: 1 }])
})

it('a stop reaches the replica that serves the call', async () => {
  const one = replica('r1', [])
  const calls = [{ id: 'a', userId: 1 }]
  replica('r2', calls)
  expect(await one.stopElsewhere('a', 1)).toBe(true)
  expect(calls).toEqual([])
})

it("a stop of another user's call is not obeyed", { tags: 'S11' }, async () => {
  const one = replica('r1', [])
  const calls = [{ id: 'a', userId: 1 }]
  replica('r2', calls)
  expect(await one.stopElsewhere('a', 2)).toBe(false)
  expect(await one.stopElsewhere('b', undefined)).toBe(false)
  expect(calls).toHaveLength(1)
})

it('what another version has written is left out', async () => {
  const one = replica('r1', [])
  replica('r2', [{ id: 'a', userId: 1 }, { other: true } as unknown as Call])
  expect(await one.others()).toEqual([{ id: 'a', userId: 1 }])
})

it('a process that is alone asks nothing and writes nothing', async () => {
  const one = replica('r1', [], 1)
  expect([await one.others(), await one.stopElsewhere('a', undefined)]).toEqual([[], false])
  expect(await database.kysely.selectFrom('running_call_wish').selectAll().execute()).toEqual([])
})
