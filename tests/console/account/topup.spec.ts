import { createRedemptions } from '@sluice/contract/routes/redemptions'
import { expect, test } from '../fixtures.ts'
import { bodiesOf } from '../people.ts'

test(
  'a code is redeemed once, exactly as it is written, and shows in balance and history',
  {
    tag: [
      '@A1.2',
      '@C1.9',
      '@C2.13',
      '@C2.40',
      '@C2.41',
      '@C2.44',
      '@C3.19',
      '@C4.9',
      '@C5.2',
      '@C7.7',
      '@C7.8',
      '@C8.3',
      '@C9.5',
    ],
  },
  async ({ userPage: page, workbench }) => {
    const [code = ''] = await workbench.root.call(createRedemptions, {
      body: { name: 'lambda', count: 1, quota: 1_234_000 },
    })
    await page.goto('/topup')
    const balance = page.getByRole('region', { name: 'Current Balance' })
    await expect(balance).toContainText('10,000,000 tokens')
    await expect(balance).toContainText('About $20.00')
    await expect(page.getByRole('region', { name: 'Tips' })).toContainText('Redemption codes are case-sensitive.')
    const card = page.getByRole('region', { name: 'Redeem Code' })
    const field = card.getByRole('textbox', { name: 'Redemption code' })
    await card.getByRole('button', { name: 'Redeem' }).click()
    await expect(card.getByText('Redemption code is required')).toBeVisible()
    await expect(field).toBeFocused()

    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/user/topup', async (route) => {
      await held
      await route.continue()
    })
    const sent = bodiesOf(page, 'POST', '/api/user/topup')
    await field.fill(` ${code} `)
    await field.press('Enter')
    await expect(card.getByRole('button', { name: 'Redeeming...' })).toBeVisible()
    release()
    await expect(
      card.getByRole('status').filter({ hasText: 'Successfully redeemed! Added 1,234,000 tokens.' }),
    ).toBeVisible()
    await expect(card.getByRole('button', { name: 'Redeem', exact: true })).toBeVisible()
    await expect(field).toHaveValue('')
    expect(sent).toEqual([{ key: code }])
    await expect(balance).toContainText('11,234,000 tokens')
    await expect(page.getByRole('region', { name: 'Recent top-ups' })).toContainText('Redeemed the code "lambda"')
    await field.fill(code)
    await field.press('Enter')
    await expect(card.getByRole('alert')).toHaveText('The redemption code has been used.')
    await page.unroute('**/api/user/topup')
    await page.route('**/api/user/topup', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await field.press('Enter')
    await expect(card.getByRole('alert')).toHaveText('Redemption failed')
  },
)

test(
  'online payment opens the shop in a new tab, with the payer and a new random id each time',
  { tag: ['@C2.39', '@C2.42', '@C2.43', '@C3.20', '@C3.32', '@C7.11', '@C7.14'] },
  async ({ userPage: page, user }) => {
    await page.goto('/topup')
    await expect(page.getByRole('region', { name: 'Current Balance' })).toContainText('tokens')
    await expect(page.getByRole('region', { name: 'Online Payment' })).toHaveCount(0)
    await page.route('**/api/status?*', async (route) => {
      const answer = await route.fetch()
      const json = await answer.json()
      await route.fulfill({
        json: { ...json, data: { ...json.data, top_up_link: 'https://shop.example.com/pay?plan=a' } },
      })
    })
    await page
      .context()
      .route('https://shop.example.com/**', (route) => route.fulfill({ contentType: 'text/html', body: 'Shop' }))
    await page.reload()
    const link = page.getByRole('region', { name: 'Online Payment' }).getByRole('link', { name: 'Open payment page' })
    await expect(link).toHaveAttribute('rel', /noopener/)
    for (const card of ['Current Balance', 'Redeem Code', 'Online Payment', 'Tips']) {
      await expect(page.getByRole('region', { name: card })).toBeVisible()
    }
    const ids: string[] = []
    for (let visit = 0; visit < 2; visit++) {
      const [shop] = await Promise.all([page.context().waitForEvent('page'), link.click()])
      await shop.waitForURL('https://shop.example.com/**')
      const { searchParams } = new URL(shop.url())
      expect(searchParams.get('plan')).toBe('a')
      expect(searchParams.get('username')).toBe(user.username)
      expect(searchParams.get('user_id')).toMatch(/^\d+$/)
      ids.push(searchParams.get('transaction_id') ?? '')
      expect(await shop.evaluate(() => globalThis.opener)).toBeNull()
      await shop.close()
    }
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(2)
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('sluice.status') ?? '{}'))
    expect(kept).toMatchObject({
      top_up_link: 'https://shop.example.com/pay?plan=a',
      system_name: 'Sluice',
      logo: '',
      footer_html: '',
      quota_per_unit: 500_000,
      display_in_currency: true,
      chat_link: '',
    })
  },
)
