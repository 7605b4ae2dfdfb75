import { ROLE } from '@sluice/contract/capability'
import { ROUTES } from '@sluice/contract/routes/all'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

async function contentOf({ database: { kysely } }: ManagementBench): Promise<Readonly<Record<string, string>>> {
  const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(kysely)
  const content: Record<string, string> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(kysely)
    content[name] = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  }
  return content
}

it('a GET that is declared to change nothing leaves every row as it was', { tags: 'S39' }, async () => {
  const bench = await openManagementBench()
  const root = await bench.addCaller('root', ROLE.root)
  await bench.ask('POST', '/api/token/', { as: root, body: { name: 'mine' } })
  await bench.ask('POST', '/api/redemption/', { as: root, body: { name: 'code', quota: 1, count: 1 } })
  const before = await contentOf(bench)
  const reads = ROUTES.filter(({ spec }) => spec.method === 'GET' && !spec.changes && spec.access !== 'api_key')
  expect(reads.length).toBeGreaterThan(50)
  for (const { spec } of reads) {
    await bench.ask('GET', spec.path.replace(':id', '1').replace(/:\w+/, 'f'.repeat(32)), { as: root })
    await bench.settleBackground()
    expect([spec.path, await contentOf(bench)]).toEqual([spec.path, before])
  }
  expect(bench.reported).toEqual([])
  await bench.close()
})
