import { createChannel, listChannels, testChannel, updateChannel } from '@sluice/contract/routes/channels'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { createUser, listUsers, updateUser } from '@sluice/contract/routes/users'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { CHANNELS, DEMO_PASSWORD, type DemoToken, USERS } from './cast.ts'

const DAY_SECONDS = 86_400

/**
 * Adds users, channels and tokens to a new gateway through its management API, as an operator would.
 *
 * @param provider address of the emulator, without `/v1`
 * @param now unix seconds
 */
export async function seedCast(gatewayUrl: string, rootPassword: string, provider: string, now: number): Promise<void> {
  const root = await signIn(gatewayUrl, 'root', rootPassword)
  await seedChannels(root, provider)
  for (const user of USERS) {
    const { username, displayName, quota, role, tokens } = user
    await root.call(createUser, { body: { username, password: DEMO_PASSWORD, display_name: displayName, quota } })
    const rows = await root.call(listUsers, { query: { size: '100' } })
    const row = rows.find((candidate) => candidate.username === username)
    if (role !== 1 && row !== undefined) await root.call(updateUser, { body: { id: row.id, role } })
    const own = await signIn(gatewayUrl, username, DEMO_PASSWORD)
    for (const token of tokens) await seedToken(own, token, now)
  }
}

async function seedChannels(root: ManagementClient, provider: string): Promise<void> {
  for (const { name, type, models, prices, priority, weight } of CHANNELS) {
    const priced = Object.keys(prices).length > 0 ? { model_configs: JSON.stringify(prices) } : {}
    const routing = { models: models.join(','), group: 'default', priority, weight }
    await root.call(createChannel, {
      body: { name, type, key: 'sk-emulator', base_url: provider, ...routing, ...priced },
    })
  }
  const rows = await root.call(listChannels, { query: { size: '100' } })
  for (const channel of CHANNELS) {
    const id = rows.find((row) => row.name === channel.name)?.id
    if (id === undefined) continue
    const model = channel.models[0]
    await root.call(testChannel, { path: { id }, query: model === undefined ? {} : { model } })
    if (channel.disabled) await root.call(updateChannel, { query: { status_only: 'true' }, body: { id, status: 2 } })
  }
}

async function seedToken(owner: ManagementClient, token: DemoToken, now: number): Promise<void> {
  const created = await owner.call(createToken, {
    body: {
      name: token.name,
      unlimited_quota: token.quota === undefined,
      remain_quota: token.quota ?? 0,
      models: token.models?.join(',') ?? null,
    },
  })
  const { id } = created
  if (token.expiresInDays !== undefined) {
    const expired_time = now + token.expiresInDays * DAY_SECONDS
    await owner.call(updateToken, { body: { ...created, models: created.models, expired_time, status: 1 } })
  }
  if (token.disabled) await owner.call(updateToken, { query: { status_only: 'true' }, body: { id, status: 2 } })
}
