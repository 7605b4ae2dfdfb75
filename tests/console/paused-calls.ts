import { listTokenPauses } from '@sluice/contract/routes/token-pauses'
import { createToken } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { MESSAGES } from './charged-calls.ts'
import { expect } from './fixtures.ts'

const MODEL = 'emu-n-tokens-46'

/**
 * The token allows the same call once a minute, and a call is repeated until the rule pauses it. The returned function makes the
 * call again.
 */
export async function repeatUntilPaused(
  workbench: Workbench,
  api: ManagementClient,
  tokenName: string,
): Promise<() => Promise<number>> {
  await workbench.addChannel([MODEL])
  const { key } = await api.call(createToken, { body: { name: tokenName, unlimited_quota: true, repeat_rpm: 1 } })
  const call = async () => {
    const reply = await workbench.chat(key, { model: MODEL, messages: MESSAGES })
    await reply.text()
    return reply.status
  }
  expect([await call(), await call()]).toEqual([200, 429])
  await expect.poll(async () => (await api.call(listTokenPauses)).length).toBe(1)
  return call
}
