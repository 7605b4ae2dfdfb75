import { ROLE } from '@sluice/contract/capability'
import { type DoctorReport, doctorReport } from '@sluice/contract/doctor'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportOf } from '../../doctor/doctor.ts'

describe('the call that examines the installation', () => {
  let bench: ManagementBench
  let root: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', ROLE.root)
    const found = [
      { id: 'clock.ok' },
      { id: 'mail.none' },
      { id: 'disk.open_key', subject: '/data/master.key' },
    ] as const
    bench.doctor = {
      examine: async (language) => reportOf({ version: '1', begun: 5_999, elapsedMs: 1.4, found }, language),
    }
  })
  afterAll(() => bench.close())

  const examined = async (headers: Readonly<Record<string, string>> = {}): Promise<DoctorReport> => {
    const { data } = await bench.ask<DoctorReport>('GET', '/api/doctor/', { as: root, headers })
    if (data === undefined) throw new Error('there is no report')
    return data
  }

  it('returns what was found, the most urgent first', async () => {
    const report = await examined()
    expect(v.safeParse(doctorReport, report).success).toBe(true)
    expect(report.findings.map(({ id }) => id)).toEqual(['disk.open_key', 'mail.none', 'clock.ok'])
    expect(report).toMatchObject({ format: 1, worst: 'problem', examined_at: 5, elapsed_ms: 1 })
  })

  it('speaks the language of the caller, with the same ids', async () => {
    const { findings } = await examined({ 'accept-language': 'zh-CN' })
    expect(findings[1]).toMatchObject({ id: 'mail.none', title: '邮件', finding: '未设置邮件。' })
  })

  it('is for root alone, is not made by other sites, and is on record', { tags: 'S34' }, async () => {
    const admin = await bench.addCaller('admin', ROLE.admin)
    expect((await bench.ask('GET', '/api/doctor/', { as: admin })).status).toBe(403)
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }
    expect((await bench.ask('GET', '/api/doctor/', { as: root, headers: foreign })).success).toBe(false)
    const { data } = await bench.ask<readonly { readonly action: string; readonly outcome: string }[]>(
      'GET',
      '/api/audit/',
      { as: root },
    )
    expect(data?.[0]).toMatchObject({ action: 'GET /api/doctor/', outcome: 'done' })
  })

  it('ends with the fiftieth finding of a kind', () => {
    const found = Array.from(
      { length: 60 },
      (_, at) => ({ id: 'disk.left_behind', subject: `/${at}`, params: { size: '1 MB' } }) as const,
    )
    expect(reportOf({ version: '1', begun: 0, elapsedMs: 0, found }, 'english').findings).toHaveLength(50)
  })
})
