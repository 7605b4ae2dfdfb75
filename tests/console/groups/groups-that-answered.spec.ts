import { listOwnLogs } from '@sluice/contract/routes/logs'
import { createToken } from '@sluice/contract/routes/tokens'
import { MESSAGES } from '../charged-calls.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withGroups } from './with-groups.ts'

const GROUPS = { default: {}, batch: { ratio: 0.5, usable_by: ['*'] }, premium: { ratio: 1.5, usable_by: ['*'] } }

test('the receipt names the group that answered, and the way of the request the groups that were tried', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = 'xi-chat'
  const channel = (name: string, target: string, group: string) =>
    workbench.addChannel([model], {
      name,
      group,
      model_mapping: JSON.stringify({ [model]: target }),
      model_configs: JSON.stringify({ [target]: { ratio: 1 } }),
    })
  await withGroups(workbench, GROUPS, async () => {
    await channel('xi batch', 'emu-limited-600', 'batch')
    await channel('xi premium', 'emu-fast', 'premium')
    const { key, id } = await user.api.call(createToken, {
      body: { name: 'xi', unlimited_quota: true, groups: ['batch', 'premium'] },
    })
    expect((await workbench.chat(key, { model, messages: MESSAGES })).status).toBe(200)
    const logs = () => user.api.call(listOwnLogs, { query: { type: '2', token_name: 'xi' } })
    await expect.poll(async () => (await logs()).length).toBe(1)

    await page.goto(`/logs?username=${user.username}`)
    await page.getByRole('link', { name: /^Open the trace of/ }).click()
    const receipt = page.getByRole('region', { name: 'Receipt' })
    await expect(receipt.getByRole('definition').filter({ hasText: /^premium$/ })).toBeVisible()
    await expect(receipt.getByRole('row').filter({ hasText: 'Group ratio' })).toContainText('× 1.5')
    await expect(page.getByRole('dialog')).toContainText('group premium, group ratio 1.5')
    const way = page.getByRole('region', { name: 'Why this channel?' })
    await expect(way).toContainText('Groups in their order: batch → premium')
    await expect(way.getByRole('listitem').filter({ hasText: 'xi batch' })).toContainText('group batch')
    const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('listitem')
    await expect(attempts.first()).toContainText('group batch')
    await expect(attempts.last()).toContainText('group premium')
    await expectAccessible(page)

    await page.goto(`/channels/explain?model=${model}&token=${id}`)
    const result = page.getByRole('region', { name: 'What would happen' })
    await expect(result.getByRole('status')).toContainText('Routed by the groups of the token: batch → premium.')
    await withGroups(workbench, { ...GROUPS, premium: { ratio: 1.5 } }, async () => {
      await page
        .getByRole('button', { name: /^Explain/ })
        .first()
        .click()
      await expect(result.getByRole('status')).toContainText('Not usable by its owner: premium.')
    })
  })
})
