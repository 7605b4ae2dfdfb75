import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { createClient } from '../../../lib/http/client.ts'
import { entitledModelsQuery } from './model-access.ts'

it('the models of the account are asked for once and named once each [C7.9]', async () => {
  const asked: string[] = []
  const call = createClient({
    fetch: async (url) => {
      asked.push(url)
      return Response.json({ success: true, message: '', data: ['b', 'a', 'b'] })
    },
    now: () => 0,
    locale: () => 'en',
    timeout: () => new AbortController().signal,
    onSessionLost: () => {},
    onBrokenReply: () => {},
  })
  const client = new QueryClient()
  const query = entitledModelsQuery(call)
  expect(await client.fetchQuery({ ...query, queryKey: [...query.queryKey] })).toEqual(['b', 'a'])
  expect(await client.fetchQuery({ ...query, queryKey: [...query.queryKey] })).toEqual(['b', 'a'])
  expect(asked.map((url) => url.replace(/\?.*/, ''))).toEqual(['/api/user/available_models'])
})
