import { createToken } from '@sluice/contract/routes/tokens'
import { expect, test } from '../fixtures.ts'
import { growConversation } from '../grown-conversation.ts'
import { longAnswer } from '../long-answer.ts'

const MODEL = 'emu-echo-8'

test('two hundred messages open at their end, and all of them are in the document', async ({
  userPage: page,
  user,
  workbench,
}) => {
  test.slow()
  await workbench.addChannel([MODEL])
  await user.api.call(createToken, { body: { name: 'long', unlimited_quota: true } })
  await page.goto(`/chat?model=${MODEL}`)
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('first words')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^Reply/ })).toHaveText(/first words/)
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  // The reply is stored a moment after it appears, and leaving the page stores it once more, over what was written meanwhile.
  await expect(() => growConversation(page, 2, '')).toPass()
  const address = page.url()
  const articles = page.getByRole('region', { name: 'Messages' }).getByRole('article')
  await expect(async () => {
    await page.goto('/about')
    await growConversation(page, 200, longAnswer(1_200))
    await page.goto(address)
    await expect(articles).toHaveCount(200, { timeout: 10_000 })
  }).toPass()
  await expect(articles.last()).toBeInViewport()
  // The browser's own search and screen readers find everything.
  expect(await page.evaluate(() => document.body.textContent?.split('The end').length ?? 0)).toBeGreaterThanOrEqual(99)
})
