import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { startHeldUpstream } from '../held-upstream.ts'

test('a call that runs is shown while logs are followed, and is stopped with one press', async ({
  userPage: page,
  user,
  workbench,
}) => {
  const upstream = await startHeldUpstream()
  try {
    await workbench.addChannel(['held-model'], { type: 50, base_url: upstream.url })
    const { key } = await user.api.call(createToken, { body: { name: 'agent', unlimited_quota: true } })
    // A wrong clock must not make it look as if a call has run for an hour.
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    await page.goto('/logs?live=true')
    const running = page.getByRole('region', { name: 'Running now' })
    await expect(running).toContainText('No call is running.')
    const reply = fetch(`${workbench.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'held-model', stream: true, messages: [{ role: 'user', content: 'Go on.' }] }),
    })
    const answer = await upstream.next()
    answer.say('Once upon a time')
    await expect(running).toContainText('Answering')
    await expect(running).toContainText('tokens')
    await expect(running).toContainText(/ · \d\d? s · /)
    await expectAccessible(page)
    await running.getByRole('button', { name: 'Stop the call of' }).click()
    await expect(page.getByText('The call was stopped.', { exact: false })).toBeVisible()
    expect(await (await reply).text()).toContain('call_stopped')
    await expect(running).toContainText('No call is running.')
  } finally {
    await upstream.close()
  }
})
