import { createToken } from '@sluice/contract/routes/tokens'
import { listOwnUsageSessions } from '@sluice/contract/routes/usage-sessions'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { MESSAGES } from './charged-calls.ts'
import { expect } from './fixtures.ts'

const CLAUDE = 'claude-cli/2.0.14 (external, cli)'
const CODEX = 'codex_cli_rs/0.63.0 (Debian 13.0.0; x86_64)'

/** Makes two sessions: one of Claude Code with three calls to two models, then one of Codex with a single call. */
export async function callInSessions(workbench: Workbench, api: ManagementClient, tokenName: string): Promise<void> {
  const models = ['emu-n-tokens-46', 'emu-n-tokens-470']
  await workbench.addChannel(models)
  const { key } = await api.call(createToken, { body: { name: tokenName, unlimited_quota: true } })
  const ask = async (model: string | undefined, headers: Record<string, string>) => {
    const reply = await fetch(`${workbench.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: MESSAGES }),
    })
    expect(reply.status).toBe(200)
    await reply.text()
  }
  const claude = { 'user-agent': CLAUDE, 'x-claude-code-session-id': `${tokenName}-first` }
  await ask(models[0], claude)
  await ask(models[1], claude)
  await ask(models[0], claude)
  await ask(models[1], { 'user-agent': CODEX, session_id: `${tokenName}-second` })
  const calls = async () =>
    (await api.call(listOwnUsageSessions, { query: {} })).reduce((sum, row) => sum + row.calls, 0)
  await expect.poll(calls).toBe(4)
}
