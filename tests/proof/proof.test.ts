import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { taggedTests } from '../../tools/reference/tagged-tests.ts'
import { type SeenIntegers, walkFractions } from './family-integers.ts'
import { CALLERS, type MatrixRow, permissionMatrix } from './permission-matrix.ts'
import { PUBLIC_CALLS } from './public-calls.ts'
import { CALL_LISTS, LEFT_OUT } from './specification-calls.ts'
import { matrixSummary, securitySummary, walkSummary } from './summary.ts'
import { type Walked, walkCalls } from './walk.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const summary: string[] = []

/** `npm test` shows the summary after its table; a run by hand shows it at once. */
afterAll(async () => {
  const text = [...summary, securitySummary(taggedTests(ROOT))].join('\n')
  const file = process.env['SLUICE_TEST_SUMMARY']
  if (file === undefined) console.log(text)
  else await appendFile(file, `${text}\n`)
})

describe('the calls of the specification', () => {
  let world: GatewayWorld
  let walked: readonly Walked[] = []
  beforeAll(async () => {
    world = await openGatewayWorld()
    walked = await walkCalls(world.url)
    summary.push(walkSummary(walked))
  })
  afterAll(() => world.close())

  it('are all served, with and without a trailing slash', () => {
    const wrong = walked.filter(({ state, problem }) => state === 'missing' || problem !== '')
    expect(wrong.map(({ call, state, problem }) => `${call}: ${problem || state}`)).toEqual([])
  })

  it('that are left out are listed calls, and each has its reason', () => {
    const listed = CALL_LISTS.flatMap(({ calls }) => calls)
    expect(Object.keys(LEFT_OUT).filter((call) => !listed.includes(call))).toEqual([])
    for (const [call, reason] of Object.entries(LEFT_OUT)) expect(reason.length, call).toBeGreaterThan(20)
  })
})

describe('every call of the API for every kind of caller', { tags: ['S8', 'S10', 'S11'] }, () => {
  let bench: ManagementBench
  let rows: readonly MatrixRow[] = []
  beforeAll(async () => {
    bench = await openManagementBench()
    rows = await permissionMatrix(bench)
    await bench.settleBackground()
    summary.push(matrixSummary(rows))
  })
  afterAll(() => bench.close())

  it('is admitted as the table of capabilities says, and refused with the right message', () => {
    for (const { call, seen, expected } of rows) {
      for (const caller of CALLERS) expect([call, caller, seen[caller]]).toEqual([call, caller, expected[caller]])
    }
  })

  it('hides what belongs to another user, as if it did not exist', () => {
    const naming = rows.filter(({ otherUser }) => otherUser !== '')
    expect(
      naming.filter(({ otherUser }) => otherUser !== 'hidden').map((row) => `${row.call}: ${row.otherUser}`),
    ).toEqual([])
    expect(naming.length).toBeGreaterThan(4)
  })

  it('is open to guests only where that was decided by name', () => {
    const open = rows.filter(({ seen }) => seen.guest === 'in').map(({ call }) => call)
    expect(open.toSorted()).toEqual(PUBLIC_CALLS.toSorted())
  })

  it('never fails unexpectedly', () => {
    expect(bench.reported).toEqual([])
  })
})

describe('numbers that programs of the family read as integers', () => {
  let bench: ManagementBench
  let walked: SeenIntegers
  beforeAll(async () => {
    bench = await openManagementBench()
    walked = await walkFractions(bench)
  })
  afterAll(() => bench.close())

  it('are integers in every reply, whatever fractions were charged', () => {
    expect(bench.reported).toEqual([])
    expect(walked.fractions).toEqual([])
  })

  it('have next to them the exact amount that they stand for', () => {
    expect(walked.apart).toEqual([])
    const lists = ['/api/log/', '/api/log/self', '/api/log/search', '/api/log/self/search', '/api/token/logs']
    const sums = ['/api/log/stat', '/api/log/self/stat', '/api/log/histogram', '/api/log/self/histogram']
    const owners = ['/api/user/', '/api/user/search', '/api/user/self', '/api/user/:id', '/api/user/get-by-token']
    const tokens = ['/api/token/', '/api/token/search', '/api/token/:id', '/api/token/balance', '/api/admin/tokens/']
    for (const path of [...lists, ...sums]) expect(walked.exact, path).toContain(`GET ${path} quota`)
    for (const path of owners) {
      expect(walked.exact, path).toContain(`GET ${path} quota`)
      expect(walked.exact, path).toContain(`GET ${path} used_quota`)
    }
    for (const path of tokens) {
      expect(walked.exact, path).toContain(`GET ${path} remain_quota`)
      expect(walked.exact, path).toContain(`GET ${path} used_quota`)
    }
    for (const name of ['Quota', 'total_quota', 'used_quota']) {
      expect(walked.exact).toContain(`GET /api/user/dashboard ${name}`)
    }
    expect(walked.exact).toContain('GET /api/channel/ used_quota')
  })
})
