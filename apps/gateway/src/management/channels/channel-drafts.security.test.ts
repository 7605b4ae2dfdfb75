import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutSecret } from './channel-drafts.ts'

const ELSEWHERE = 'https://elsewhere.example'

describe('a key in a test that saves nothing', () => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  let id: number
  const sent: string[] = []
  beforeAll(async () => {
    bench = await openManagementBench('sqlite', {
      fetchGuarded: async ({ secretHeaders }) => {
        const body = JSON.stringify({ data: [{ id: 'honest' }, { id: `your-${secretHeaders?.['authorization']}` }] })
        return { ok: true, status: 200, headers: {}, body: Buffer.from(body) }
      },
    })
    bench.testDraft = async ({ key, baseUrl }) => {
      sent.push(`${key} to ${baseUrl}`)
      return { ok: false, cause: 'provider', model: 'm', elapsedMs: 1, message: `no such key: ${key}` }
    }
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
    const body = { name: 'c', type: 1, key: 'sk-stored-secret', models: 'm' }
    id = (await bench.ask<number[]>('POST', '/api/channel/', { as: root, body })).data?.[0] ?? 0
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })
  const post = (as: TestCaller, path: string, body: object) => bench.ask('POST', `/api/channel/${path}`, { as, body })

  it.each(['test', 'fetch_models'])(
    'is not sent to another address by an administrator: %s',
    { tags: ['S5', 'S33'] },
    async (path) => {
      for (const body of [
        { id, base_url: ELSEWHERE },
        { id, base_url: ELSEWHERE, key: ' ' },
        { id, type: 4 },
        { id, type: 33 },
      ]) {
        const reply = await post(admin, path, body)
        expect(reply).toMatchObject({ success: false })
        expect(reply.message).toMatch(/^key: is required/)
      }
      expect(sent).toEqual([])
    },
  )

  it(
    'goes where root, or the caller that gives it, sends it, and does not come back in an answer',
    { tags: ['S5', 'S20'] },
    async () => {
      const own = await post(admin, 'test', { id, base_url: ELSEWHERE, key: 'sk-own-secret' })
      const moved = await post(root, 'test', { id, base_url: ELSEWHERE })
      expect(sent).toEqual([`sk-own-secret to ${ELSEWHERE}`, `sk-stored-secret to ${ELSEWHERE}`])
      for (const reply of [own, moved]) expect(reply.message).toBe('no such key: ***')
      const stored = await bench.database.kysely.selectFrom('channel').selectAll().executeTakeFirstOrThrow()
      expect(stored.base_url).toBe('')
    },
  )

  it('does not come back as the name of a model', { tags: 'S20' }, async () => {
    const reply = await bench.ask<string[]>('POST', '/api/channel/fetch_models', { as: admin, body: { id } })
    expect(reply).toMatchObject({ success: true, data: ['honest'] })
  })

  it('is never recorded', { tags: 'S20' }, async () => {
    const rows = [
      ...(await bench.database.kysely.selectFrom('log').selectAll().execute()),
      ...(await bench.database.kysely.selectFrom('audit').selectAll().execute()),
    ]
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/sk-own-secret|sk-stored-secret/)
  })

  it.each(['http://user:pass@api.test', 'file:///etc/passwd', 'gopher://x', 'https://api.test/?k=1'])(
    'is not sent to %s',
    { tags: 'S2' },
    async (base_url) => {
      expect(await post(root, 'test', { type: 50, key: 'sk-x', models: 'm', base_url })).toMatchObject({
        success: false,
        code: 'invalid_body',
      })
    },
  )

  it('is removed from a text, whole and in its parts, but words stay', { tags: 'S20' }, () => {
    expect(withoutSecret('AKIDEXAMPLE in us-east-1 with wJalrXUtnFEMI', 'AKIDEXAMPLE|wJalrXUtnFEMI|eu-1')).toBe(
      '*** in us-east-1 with ***',
    )
    expect(withoutSecret('nothing', '')).toBe('nothing')
  })
})
