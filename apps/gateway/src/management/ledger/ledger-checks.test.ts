import type { LedgerCheck } from '@sluice/contract/ledger-check'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const PATH = '/api/ledger/check/'

describe('verifications of the ledger through the API', () => {
  let bench: ManagementBench
  let root: TestCaller

  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterEach(async () => {
    await bench.close()
    expect(bench.reported).toEqual([])
  })

  const list = async (): Promise<readonly LedgerCheck[]> =>
    (await bench.ask<LedgerCheck[]>('GET', PATH, { as: root })).data ?? []
  const verify = async (body: object): Promise<LedgerCheck | undefined> => {
    expect(await bench.ask('POST', PATH, { as: root, body })).toMatchObject({ success: true, data: { id: 1 } })
    await expect.poll(async () => (await list())[0]?.outcome).not.toBe('running')
    return (await list())[0]
  }

  it('show root for each invariant what was checked and how long it took', async () => {
    const check = await verify({ mode: 'full' })
    expect(check).toMatchObject({
      mode: 'full',
      outcome: 'sound',
      started_by: root.id,
      started_by_name: 'root',
      started_at: bench.clock.now / 1_000,
      rows_since: 0,
    })
    expect(check?.results.map(({ id }) => id)).toEqual(expect.arrayContaining(['I1', 'I5', 'I8', 'I10']))
    for (const result of check?.results ?? []) expect(result).toMatchObject({ first_wrong: null, recounted: false })
  })

  it('name the first wrong row, every number as text', async () => {
    await sql`update account set posted = 9007199254740993 where kind = 'user'`.execute(bench.database.kysely)
    const check = await verify({})
    expect(check).toMatchObject({ mode: 'incremental', outcome: 'wrong' })
    const wrong = check?.results.find(({ first_wrong }) => first_wrong !== null)
    expect(wrong?.first_wrong).toMatchObject({ kind: 'user', posted: '9007199254740993', transfers: '0' })
    // The notice follows shortly after a reader can see the result.
    await vi.waitFor(() => expect(bench.notices).toMatchObject([{ kind: 'books_wrong' }]))
  })

  it('are refused while one runs', async () => {
    await sql`insert into lease (job, owner, epoch, until_ms) values ('ledger-check', 'other', 1, ${bench.clock.now + 1})`.execute(
      bench.database.kysely,
    )
    expect(await bench.ask('POST', PATH, { as: root, body: {} })).toMatchObject({
      success: false,
      code: 'job_running',
      message: 'A verification of the ledger is already running.',
    })
  })

  it('are refused for an unknown mode', async () => {
    expect(await bench.ask('POST', PATH, { as: root, body: { mode: 'some' } })).toMatchObject({ success: false })
    expect(await list()).toEqual([])
  })

  it('are for root alone', async () => {
    for (const role of [1, 10]) {
      const as = await bench.addCaller(`role ${role}`, role)
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', {}],
      ] as const) {
        const reply = await bench.ask(method, PATH, { as, ...(body && { body }) })
        expect(reply).toMatchObject({ success: false, code: 'insufficient_permissions' })
      }
    }
  })
})
