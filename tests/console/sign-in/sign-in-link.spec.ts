import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type GatewayProcess, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'

let dataDir = ''
let gateway: GatewayProcess
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-link-'))
  gateway = await startGateway({ dataDir, env: { SLUICE_ROOT_PASSWORD: '', SLUICE_FIRST_SIGN_IN: 'link' } })
})
test.afterEach(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const printedLink = () => /\S+\/login#once=[\w-]{43}/.exec(gateway.output())?.[0] ?? ''

test('the printed link signs root in once, and a password of their own follows', { tag: '@S22' }, async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''))
  const link = printedLink()
  const [, token = ''] = link.split('once=')
  // A user who was signed in at an earlier gateway on this port.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('stale') !== null) return
    sessionStorage.setItem('stale', 'written')
    const user = { id: 7, username: 'ann', display_name: '', role: 1, status: 1 }
    localStorage.setItem('sluice.session', JSON.stringify({ user, authenticated: true }))
  })
  await page.goto(link)
  await expect(page).toHaveURL(/\/users\/edit$/)
  expect(sent.join(' ')).not.toContain(token)
  await page.goBack()
  expect(page.url(), 'the link is not in the history').not.toContain(token)
  await page.goto(`${gateway.url}/users/edit`)
  await expect(page.getByText('Choose your own now.')).toBeVisible()
  await page.getByLabel('New password').fill('a password of my own')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Choose your own now.')).toBeHidden()
  await signIn(gateway.url, 'root', 'a password of my own')
})

test('a link that is used up says so in both languages, and leaves the form', async ({ page, context }) => {
  const link = printedLink()
  await page.goto(link)
  await expect(page).toHaveURL(/\/users\/edit$/)
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByText('This sign-in link has been used or is older than ten minutes.')).toBeVisible()
  await expect(page).toHaveURL(`${gateway.url}/login`)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled()
  await page.evaluate(() => localStorage.setItem('sluice.locale', 'zh-CN'))
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByText('此登录链接已被使用，或已超过十分钟。')).toBeVisible()
})
