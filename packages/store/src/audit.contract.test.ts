import { randomBytes } from 'node:crypto'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditHash } from './audit-chain.ts'
import { adoptAuditCalls, type AuditEntry, beginAuditCall, endAuditCall, listAudit } from './queries/audit/audit.ts'
import { createVault } from './vault.ts'
import { verifyAudit } from './verify-audit.ts'

const NOW = Date.UTC(2026, 10, 20)
const EVERYTHING = {
  actor: undefined,
  action: undefined,
  targetKind: undefined,
  targetId: undefined,
  from: undefined,
  to: undefined,
}
const FIRST_PAGE = { limit: 100, offset: 0 }

function entry(callId: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    call_id: callId,
    begun_ms: NOW,
    actor_id: 1,
    actor_name: 'root',
    actor_role: 100,
    address: '127.0.0.1',
    action: 'PUT /api/user/',
    outcome: 'done',
    target_kind: 'user',
    target_id: '7',
    before_values: '{"role":1}',
    after_values: '{"role":10}',
    ...more,
  }
}

describe.each(databaseEngines)('the audit log on %s', (engine) => {
  let database: TestDatabase
  const vault = createVault([randomBytes(32)])
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const add = (...names: string[]) =>
    names.reduce<Promise<void>>(
      async (before, name) => (await before, await endAuditCall(database.kysely, vault, entry(name), NOW)),
      Promise.resolve(),
    )
  const verify = () => verifyAudit(database.kysely, vault)
  const list = (filter = {}) => listAudit(database.kysely, { ...EVERYTHING, ...filter }, FIRST_PAGE)

  test('numbers its rows and chains them by hash', async () => {
    expect(await verify()).toEqual({ rows: 0, open: 0 })
    await add('a', 'b', 'c')
    const { rows, total } = await list()
    expect(total).toBe(3)
    expect(rows.map((row) => [row.seq, row.call_id])).toEqual([
      [3, 'c'],
      [2, 'b'],
      [1, 'a'],
    ])
    expect(rows[0]?.previous_hash).toBe(rows[1]?.hash)
    expect(await verify()).toEqual({ rows: 3, open: 0 })
  })

  test('stays one chain when several processes write', async () => {
    const other = await database.reopen()
    const names = Array.from({ length: 20 }, (_, at) => `call-${at}`)
    await Promise.all(
      names.map((name, at) => endAuditCall((at % 2 === 0 ? database : other).kysely, vault, entry(name), NOW)),
    )
    await other.close()
    expect(await verify()).toEqual({ rows: 20, open: 0 })
    expect((await list()).rows.map((row) => row.call_id).toSorted()).toEqual(names.toSorted())
  })

  test('finds rows by actor, action, target and time', async () => {
    await add('a')
    await endAuditCall(
      database.kysely,
      vault,
      entry('b', { actor_name: 'ann', action: 'DELETE /api/channel/:id', target_kind: 'channel', begun_ms: NOW + 9 }),
      NOW,
    )
    const found = async (filter: object) => (await list(filter)).rows.map((row) => row.call_id)
    expect(await found({ actor: 'ann' })).toEqual(['b'])
    expect(await found({ action: 'PUT /api/user/' })).toEqual(['a'])
    expect(await found({ targetKind: 'channel', targetId: '7' })).toEqual(['b'])
    expect(await found({ from: NOW + 1 })).toEqual(['b'])
    expect(await found({ to: NOW })).toEqual(['a'])
    expect(await found({ actor: 'nobody' })).toEqual([])
  })

  test('keeps a call whose process died, with an unknown outcome', async () => {
    await beginAuditCall(database.kysely, entry('lost'))
    await beginAuditCall(database.kysely, entry('running', { begun_ms: NOW + 599_000 }))
    await endAuditCall(database.kysely, vault, entry('next', { begun_ms: NOW + 601_000 }), NOW + 601_000)
    expect((await list()).rows.map((row) => [row.call_id, row.outcome])).toEqual([
      ['next', 'done'],
      ['lost', 'unknown'],
    ])
    expect(await verify()).toEqual({ rows: 2, open: 1 })
    await adoptAuditCalls(database.kysely, vault, NOW + 2_000_000)
    expect(await verify()).toEqual({ rows: 3, open: 0 })
  })

  test('an entry removes its open call', async () => {
    await beginAuditCall(database.kysely, entry('a'))
    expect(await verify()).toEqual({ rows: 0, open: 1 })
    await add('a')
    expect(await verify()).toEqual({ rows: 1, open: 0 })
  })

  const columns = Object.keys(entry('')) as (keyof AuditEntry)[]
  test('a change to any column is found', async () => {
    for (const column of columns) {
      await database.reset()
      await add('a', 'b', 'c')
      const changed = typeof entry('')[column] === 'number' ? 99 : 'changed'
      await database.kysely
        .updateTable('audit')
        .set({ [column]: changed })
        .where('seq', '=', 2)
        .execute()
      expect((await verify()).problem, column).toBe('row 2 was changed')
    }
  })

  test('a removed row is found, even the last one', async () => {
    await add('a', 'b', 'c')
    await database.kysely.deleteFrom('audit').where('seq', '=', 3).execute()
    expect((await verify()).problem).toBe('row 3 is missing: 3 rows were written')
    await database.kysely.deleteFrom('audit').where('seq', '=', 1).execute()
    expect((await verify()).problem).toBe('row 1 is missing')
  })

  test('a chain recomputed without the master key is found', { tags: 'S19' }, async () => {
    await add('a', 'b')
    const last = { ...entry('b', { actor_name: 'somebody else' }), seq: 2 }
    const previous_hash = (await list()).rows[1]?.hash ?? ''
    const forged = { ...last, previous_hash, hash: auditHash({ ...last, previous_hash }) }
    await database.kysely.updateTable('audit').set(forged).where('seq', '=', 2).execute()
    expect((await verify()).problem).toBe('row 2 is not the last row that was written')

    const more = { ...entry('c'), seq: 3, previous_hash: forged.hash }
    await database.kysely
      .insertInto('audit')
      .values({ ...more, hash: auditHash(more) })
      .execute()
    expect((await verify()).problem).toBe('row 3 was added by someone else')

    await database.kysely
      .updateTable('audit_head')
      .set({ head_sealed: `2:${forged.hash}` })
      .execute()
    expect((await verify()).problem).toContain('not sealed')
    await expect(add('d')).rejects.toThrow('sluice audit verify')
  })
})
