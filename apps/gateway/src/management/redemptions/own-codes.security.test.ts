import { ROLE } from '@sluice/contract/capability'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, it } from 'vitest'

let bench: ManagementBench
let root: TestCaller
let admin: TestCaller
let peer: TestCaller
let ann: TestCaller

beforeEach(async () => {
  bench = await openManagementBench()
  root = await bench.addCaller('root', ROLE.root)
  admin = await bench.addCaller('admin', ROLE.admin)
  peer = await bench.addCaller('peer', ROLE.admin)
  ann = await bench.addCaller('ann', ROLE.user)
})
afterEach(async () => {
  expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
  expect(bench.reported).toEqual([])
  await bench.close()
})

const madeBy = async (as: TestCaller): Promise<string> =>
  (await bench.ask<string[]>('POST', '/api/redemption/', { as, body: { name: 'code', quota: 70, count: 1 } }))
    .data?.[0] ?? ''
const newest = async (): Promise<number> =>
  (await bench.database.kysely.selectFrom('redemption').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id
const change = (as: TestCaller, id: number, quota: number) =>
  bench.ask('PUT', '/api/redemption/', { as, body: { id, name: 'code', quota } })
const redeem = (as: TestCaller, key: string) => bench.ask<number>('POST', '/api/user/topup', { as, body: { key } })
const REFUSED = { status: 200, success: false, code: 'own_redemption_code' }

it(
  'administrators redeem no code of their own or of a peer, because no one of their rank may top them up',
  { tags: 'S12' },
  async () => {
    expect(await redeem(admin, await madeBy(admin))).toMatchObject(REFUSED)
    const code = await madeBy(peer)
    expect(await redeem(admin, code)).toMatchObject(REFUSED)
    expect(await redeem(ann, code)).toMatchObject({ success: true, data: 70 })
    expect(await redeem(admin, await madeBy(root))).toMatchObject({ success: true, data: 70 })
    expect(await redeem(root, await madeBy(root))).toMatchObject({ success: true, data: 70 })
  },
)

it(
  'nor one of root that they or a peer made larger or enabled, whatever root does to it afterwards',
  { tags: 'S12' },
  async () => {
    for (const who of [admin, peer]) {
      const code = await madeBy(root)
      const id = await newest()
      expect(await change(who, id, 7_000)).toMatchObject({ success: true })
      expect(await change(root, id, 7_000)).toMatchObject({ success: true })
      expect(await redeem(admin, code)).toMatchObject(REFUSED)
    }
    const code = await madeBy(root)
    const body = { id: await newest(), status: 1 }
    await bench.ask('PUT', '/api/redemption/?status_only=1', { as: root, body: { ...body, status: 2 } })
    await bench.ask('PUT', '/api/redemption/?status_only=1', { as: admin, body })
    expect(await redeem(admin, code)).toMatchObject(REFUSED)
    expect(await redeem(ann, code)).toMatchObject({ success: true, data: 70 })
  },
)

it('nor one that they made before they lost their rank, which still pays everyone else', { tags: 'S12' }, async () => {
  const [own, sold] = [await madeBy(admin), await madeBy(admin)]
  await bench.database.kysely.updateTable('user').set({ role: ROLE.user }).where('id', '=', admin.id).execute()
  expect(await redeem(admin, own)).toMatchObject(REFUSED)
  expect(await redeem(ann, sold)).toMatchObject({ success: true, data: 70 })
})
