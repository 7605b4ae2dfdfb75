import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('replies of the management API', () => {
  let bench: ManagementBench
  beforeAll(async () => {
    bench = await openManagementBench()
  })
  afterAll(() => bench.close())

  const paths = ['/api/status', '/api/user/self', '/api/nothing', '/api/openapi.json', '/api/token/']

  it.each(paths)('%s can neither run nor be framed in a browser', { tags: 'S14' }, async (path) => {
    const { headers } = await bench.fetch(new Request(`http://localhost:3000${path}`))
    expect(headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(paths)('%s allows no other origin to read it', { tags: 'S21' }, async (path) => {
    const request = new Request(`http://localhost:3000${path}`, { headers: { origin: 'https://evil.example' } })
    const { headers } = await bench.fetch(request)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it.each(paths)('%s is stored in no cache', { tags: 'S20' }, async (path) => {
    const { headers } = await bench.fetch(new Request(`http://localhost:3000${path}`))
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('a preflight of another site does not get permission', { tags: 'S34' }, async () => {
    const reply = await bench.fetch(
      new Request('http://localhost:3000/api/user/', {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    )
    expect(reply.ok).toBe(false)
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it('a form of another site cannot send a body that is read', { tags: 'S34' }, async () => {
    const root = await bench.addCaller('root', 100)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await bench.ask('POST', '/api/user/', {
        as: root,
        body: { username: 'planted', password: 'password-1' },
        headers: { 'content-type': type },
      })
      expect(reply).toMatchObject({ success: false, status: 415 })
    }
    const found = await bench.database.kysely
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'planted')
      .execute()
    expect(found).toEqual([])
  })
})
