import { describe, expect, it } from 'vitest'
import { createQueries } from './queries.ts'
import { createQueryClient } from './query-client.ts'

describe('queries', () => {
  it('send a prefetch before the cache has loaded and pass its reply on once', async () => {
    let arrive = () => undefined as void
    const code = new Promise<void>((resolve) => (arrive = resolve))
    const queries = createQueries(async () => {
      await code
      return createQueryClient()
    })
    let sent = 0
    const spec = { queryKey: ['tokens'], queryFn: async () => ++sent, staleTime: 60_000 }
    queries.prefetch(spec)
    expect(sent).toBe(1)
    arrive()
    const client = await queries.client()
    await expect(client.ensureQueryData(spec)).resolves.toBe(1)
    expect(sent).toBe(1)
  })

  it('use the cache once it is there', async () => {
    const queries = createQueries(async () => createQueryClient())
    const client = await queries.client()
    let sent = 0
    const spec = { queryKey: ['tokens'], queryFn: async () => ++sent, staleTime: 60_000 }
    queries.prefetch(spec)
    queries.prefetch(spec)
    await client.ensureQueryData(spec)
    expect(sent).toBe(1)
  })

  it('survive a failed early request: the page requests again and shows what happens', async () => {
    const queries = createQueries(async () => createQueryClient())
    let sent = 0
    const spec = {
      queryKey: ['tokens'],
      queryFn: async () => {
        sent += 1
        if (sent === 1) throw new Error('lost')
        return 'here'
      },
    }
    queries.prefetch(spec)
    const client = await queries.client()
    await expect.poll(() => client.getQueryState(['tokens'])?.status).toBe('error')
    await expect(client.fetchQuery(spec)).resolves.toBe('here')
  })

  it('clear everything when the user changes', async () => {
    const queries = createQueries(async () => createQueryClient())
    const client = await queries.client()
    client.setQueryData(['tokens'], [1])
    queries.clear()
    expect(client.getQueryData(['tokens'])).toBeUndefined()
  })

  it('load the code again after a failure', async () => {
    let attempts = 0
    const queries = createQueries(async () => {
      attempts += 1
      if (attempts === 1) throw new Error('offline')
      return createQueryClient()
    })
    await expect(queries.client()).rejects.toThrow('offline')
    await expect(queries.client()).resolves.toBeDefined()
  })
})
