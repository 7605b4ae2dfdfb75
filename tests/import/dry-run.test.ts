// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSluice } from '@sluice/testkit/gateway-process'
import type { TestSource } from '@sluice/testkit/import/foreign-sources'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tableDigests } from './database-rows.ts'
import { readFixture } from './fixture.ts'
import { loadFixture } from './load-fixture.ts'

/** `sluice import --dry-run` reports everything and writes nothing. */
let dataDir = ''
let source: TestSource
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-dry-run-'))
  source = await loadFixture('sqlite', await readFixture('one-api'))
  // Creates the database with its root user.
  const { code, output } = await check()
  expect(code, output).toBe(0)
})
afterAll(async () => {
  await source.remove()
  await rm(dataDir, { recursive: true, force: true })
})

const check = () => runSluice(['import', source.source, '--dry-run'], { dataDir })

it('says what can be imported, with exit code 0, and leaves every table as it was', async () => {
  const before = tableDigests(dataDir)
  expect(Object.keys(before)).toContain('account')
  const { code, output } = await check()
  expect(code, output).toBe(0)
  expect(output).toMatch(/^users +14 +13 /m)
  expect(output).toContain('It can be imported. Nothing was written.')
  expect(output).toMatch(/^adapted +channels \d+: status disabled/m)
  expect(tableDigests(dataDir)).toEqual(before)
})

it('names each row that cannot be taken by table, id and field, with exit code 1, and leaves every table as it was', async () => {
  const before = tableDigests(dataDir)
  await source.run(`
    update users set password = x'00ff' where id = 4;
    update tokens set remain_quota = 'plenty' where id = 15;
    update redemptions set quota = -5 where id = 4;
    update users set quota = -70 where id = 6`)
  for (const flags of [['--dry-run'], []]) {
    const { code, output } = await runSluice(['import', source.source, ...flags], { dataDir })
    expect(code, output).toBe(1)
    expect(output).toMatch(/^left out +users 4: password is binary$/m)
    expect(output).toMatch(/^left out +tokens 15: remain_quota is not a whole number$/m)
    expect(output).toMatch(/^left out +redemptions 4: quota is not between 1 and \d+$/m)
    expect(output).toContain('users 6: quota is negative (-70)')
    expect(output).toContain('nothing was written')
    expect(tableDigests(dataDir)).toEqual(before)
  }
})

it('ends with exit code 1 for what is not there, and for what is no gateway', async () => {
  for (const wrong of [join(dataDir, 'nowhere.db'), join(dataDir, 'sluice.db')]) {
    const { code, output } = await runSluice(['import', wrong, '--dry-run'], { dataDir })
    expect(code, output).toBe(1)
    expect(output).toContain('It was not imported, and nothing was written.')
  }
})
