import { listOwnLogs } from '@sluice/contract/routes/logs'
import { createToken } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect } from './fixtures.ts'

export const MESSAGES = [{ role: 'user', content: 'How does a sluice work?' }]
/** Quota points of one currency unit. */
export const UNIT = 500_000

export interface Charged {
  /** Prompt and answer together. */
  readonly tokens: number
  /** Quota points, by the workbench's prices. */
  readonly quota: number
}

/** Calls the models one after the other with a new token of the user. Returns what each call must have cost. */
export async function callModels(
  workbench: Workbench,
  api: ManagementClient,
  tokenName: string,
  models: readonly string[],
): Promise<readonly Charged[]> {
  await workbench.addChannel([...new Set(models)])
  const { key } = await api.call(createToken, { body: { name: tokenName, unlimited_quota: true } })
  const charged: Charged[] = []
  for (const model of models) {
    const response = await workbench.chat(key, { model, messages: MESSAGES })
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } }
    const { prompt_tokens, completion_tokens } = usage
    charged.push({ tokens: prompt_tokens + completion_tokens, quota: prompt_tokens + 2 * completion_tokens })
  }
  // Charges are written after their answers, and the pages that a test opens next must find them.
  const written = () => api.call(listOwnLogs, { query: { type: '2', token_name: tokenName, size: '100' } })
  await expect.poll(async () => (await written()).length).toBeGreaterThanOrEqual(models.length)
  return charged
}

/** To the last decimal, as the console writes it. */
export const money = (points: number) => `$${(points / UNIT).toFixed(6)}`
