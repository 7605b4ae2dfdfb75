import { expect, test } from '../fixtures.ts'
import { setup, token } from './playground-fields.ts'

test('a link chooses token and models and writes the question, and never sends it', async ({
  userPage: page,
  user,
  workbench,
}) => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `link-${name}-${user.username}`) as [string, string, string]
  await workbench.addChannel([a, b, c], { name: user.username })
  const { id } = await token(user.api, 'of the link')
  await token(user.api, 'another', c)
  let sent = 0
  page.on('request', (request) => (sent += request.url().endsWith('/v1/chat/completions') ? 1 : 0))
  await page.goto(`/chat?token=${id}&model=${b}&with=${c}&prompt=${encodeURIComponent('12345')}`)
  const { token: select, model, second, message } = setup(page)
  await expect(select.getByRole('option', { selected: true })).toHaveText('of the link')
  await expect(model).toHaveValue(b)
  await expect(second).toHaveValue(c)
  await expect(message).toHaveValue('12345')
  // Applied parameters are removed from the address, so that a reload does not apply them again.
  await expect(page).not.toHaveURL(/prompt/)
  expect(sent).toBe(0)

  await model.fill(a)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/model=/)
  await page.reload()
  await expect(model).toHaveValue(a)
  await expect(second).toHaveValue(c)
  await page.getByRole('button', { name: 'Compare two models' }).click()
  await expect(second).toHaveCount(0)
  await expect(page).not.toHaveURL(/with=/)

  const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
  await page.goto(`/chat?token=999999&model=${b}`)
  await expect(notice).toContainText('The selected token cannot be used. another is charged instead.')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await page.goto('/chat?model=nobody-has-this')
  await expect(notice).toContainText('cannot use nobody-has-this, the model in this link')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page).toHaveURL(/\/chat$/)
})

test('a model and a token link to the playground with that model or token chosen', async ({
  userPage: page,
  user,
  workbench,
}) => {
  const [first, other] = [`at-${user.username}`, `zt-${user.username}`]
  await workbench.addChannel([first, other], { name: user.username })
  const { id } = await token(user.api, 'tried', `${first},${other}`)
  await token(user.api, 'newer')
  await page.goto(`/tokens?use=${id}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Try in playground' }).click()
  const { token: select, model } = setup(page)
  await expect(select.getByRole('option', { selected: true })).toHaveText('tried')
  await expect(model).toHaveValue(first)
  await page.goto(`/models?model=${other}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Try in playground' }).click()
  await expect(model).toHaveValue(other)
  await page.getByRole('link', { name: 'Prices' }).click()
  await expect(page.getByRole('dialog', { name: other })).toBeVisible()
})
