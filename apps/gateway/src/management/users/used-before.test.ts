import type { Token } from '@sluice/contract/token'
import type { User } from '@sluice/contract/user'
import { openManagementBench } from '@sluice/testkit/management-bench'
import { expect, it } from 'vitest'

it('what was used before the move is told apart from what was used here, and absent where there is none', async () => {
  const bench = await openManagementBench()
  const root = await bench.addCaller('root', 100)
  const ann = await bench.addCaller('ann', 1)
  const body = { name: 'laptop', unlimited_quota: true }
  const { data: token } = await bench.ask<Token>('POST', '/api/token/', { as: ann, body })
  expect(token).not.toHaveProperty('used_quota_before')
  const row = { source: 'one', source_id: 1, mark: '', digest: '' }
  await bench.database.kysely
    .insertInto('imported')
    .values([
      { ...row, kind: 'user', target_id: ann.id, used: 1_001n, requests: 3 },
      { ...row, kind: 'token', target_id: token?.id ?? 0, used: 1_000n, requests: 2 },
    ])
    .execute()
  const ofUser = { used_quota: 0, request_count: 0, used_quota_before: 2, request_count_before: 3 }
  expect(await bench.ask('GET', '/api/user/self', { as: ann })).toMatchObject({ data: ofUser })
  expect(await bench.ask('GET', `/api/user/${ann.id}`, { as: root })).toMatchObject({ data: ofUser })
  const { data: users = [] } = await bench.ask<User[]>('GET', '/api/user/', { as: root })
  expect(users.find(({ id }) => id === ann.id)).toMatchObject(ofUser)
  expect(users.find(({ id }) => id === root.id)).not.toHaveProperty('used_quota_before')
  const ofToken = { used_quota: 0, used_quota_before: 1, request_count_before: 2 }
  expect(await bench.ask('GET', `/api/token/${token?.id}`, { as: ann })).toMatchObject({ data: ofToken })
  expect(await bench.ask('GET', '/api/token/', { as: ann })).toMatchObject({ data: [ofToken] })
  expect(await bench.ask('GET', '/api/admin/tokens/', { as: root })).toMatchObject({ data: [ofToken] })
  await bench.close()
})
