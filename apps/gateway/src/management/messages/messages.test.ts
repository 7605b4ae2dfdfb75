import { setOption } from '@sluice/store/queries/options'
import { claimMessages, finishAttempt } from '@sluice/store/queries/outbox'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, test } from 'vitest'

let bench: ManagementBench
beforeEach(async () => {
  bench = await openManagementBench()
  await setOption(bench.database.kysely, 'SMTPServer', 'mail.example.com')
  await setOption(bench.database.kysely, 'SMTPFrom', 'gateway@example.com')
  await bench.deps.versions.check()
})
afterEach(() => bench.close())

const enqueue = (to: string) =>
  bench.deps.enqueueMail(bench.database.kysely, { kind: 'verification_code', to, code: 'CANARY', minutes: 10 })

test('root sees which mail waits and which was given up, and why, but not what it says', async () => {
  const root = await bench.addCaller('root', 100)
  const list = (query: string) => bench.ask('GET', `/api/message/${query}`, { as: root })
  await enqueue('ann@example.com')
  await enqueue('bob@example.com')
  const now = bench.clock.now
  const claim = { lease: 'lease', now, until: now + 1_000, limit: 1 }
  const [first] = await claimMessages(bench.database.kysely, claim)
  await finishAttempt(bench.database.kysely, first?.id ?? 0, 'lease', { state: 'dead', problem: 'no such user' }, now)

  const dead = await list('')
  expect(dead).toMatchObject({
    success: true,
    total: 1,
    data: [
      { recipient: 'ann@example.com', state: 'dead', attempts: 1, problem: 'no such user', due_ms: 0, done_ms: now },
    ],
  })
  const waiting = await list('?state=waiting')
  expect(waiting).toMatchObject({ total: 1, data: [{ recipient: 'bob@example.com', due_ms: now, done_ms: 0 }] })
  expect(JSON.stringify([dead, waiting])).not.toContain('CANARY')
  expect(await list('?state=sent')).toMatchObject({ total: 0, data: [] })
  expect(await list('?state=other')).toMatchObject({ success: false, code: 'invalid_body' })
})

test('no one below root sees mail', async () => {
  const admin = await bench.addCaller('admin', 10)
  expect(await bench.ask('GET', '/api/message/', { as: admin })).toMatchObject({ status: 403 })
})
