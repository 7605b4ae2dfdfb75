import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callModels } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'

const DAY_MS = 86_400_000
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
const chart = (page: Page, name: string) => page.getByRole('figure', { name })
const usage = (page: Page, from: string) =>
  page.waitForResponse((response) => response.url().includes(`/api/user/dashboard?from_date=${from}`))

test('figures are compared with the days before, as far as those may be requested', async ({ userPage: page }) => {
  await page.goto('/dashboard')
  await expect(page.getByText('Not compared: the previous period is outside the range that you can see.')).toBeVisible()
  const before = usage(page, day(1))
  await page.getByRole('button', { name: 'Today' }).click()
  expect((await before).ok()).toBe(true)
  await expect(page.getByText(/^Compared with /)).toBeVisible()
  await expect(page.getByText('Nothing in the previous period')).toHaveCount(4)
})

test('tiles, legend and bars lead to the logs behind them', async ({ userPage: page, user, workbench }) => {
  await callModels(workbench, user.api, 'links', ['emu-n-tokens-41'])
  await page.goto('/dashboard')
  const begins = Date.parse(`${day(6)}T00:00:00Z`) / 1_000
  await page.getByRole('link', { name: 'Show logs of Tokens Consumed' }).click()
  await expect(page).toHaveURL(new RegExp(`/logs\\?start=${begins}&.*sort=completion_tokens`))
  await page.goBack()
  await chart(page, 'Token Usage')
    .getByRole('link', { name: `Show logs of links (${user.username})` })
    .click()
  await expect(page).toHaveURL(/\/logs\?.*token=links/)
  await page.goBack()

  const plot = chart(page, 'Model Usage').getByRole('slider')
  const today = Date.parse(`${day(0)}T00:00:00Z`) / 1_000
  await plot.focus()
  await plot.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/logs\\?.*start=${today}`))
  expect(page.url()).not.toContain('model=')
  await page.goBack()
  await plot.scrollIntoViewIfNeeded()
  const box = (await plot.boundingBox()) ?? { width: 0, height: 0 }
  await plot.click({ position: { x: box.width - 40, y: box.height - 50 } })
  await expect(page).toHaveURL(/\/logs\?.*model=emu-n-tokens-41/)
})

test('a chart is saved as values and as a picture', async ({ userPage: page, user, workbench }) => {
  const [spent] = await callModels(workbench, user.api, 'files', ['emu-n-tokens-43'])
  await page.goto('/dashboard')
  const save = async (format: string) => {
    await chart(page, 'Model Usage').getByRole('button', { name: 'Download Model Usage' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: format }).click()
    const file = await download
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  const values = await save('Values as CSV')
  expect(values.name).toBe('model-usage.csv')
  const lines = values.bytes.toString().trim().split('\r\n')
  expect(lines[0]).toBe('Day,emu-n-tokens-43,Total')
  expect(lines.at(-1)).toBe(`${day(0)},${spent?.tokens},${spent?.tokens}`)
  expect(lines).toHaveLength(8)
  const picture = await save('Chart as PNG')
  expect(picture.name).toBe('model-usage.png')
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG')
})

test('typed dates apply when typing pauses, and with Auto-refresh everything is requested again a minute later', async ({
  userPage: page,
}) => {
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByText(/^Updated:/)).toBeVisible()
  await page.getByLabel('From', { exact: true }).fill(day(2))
  const typed = usage(page, day(2))
  await page.clock.runFor(1_000)
  await typed
  await expect(page).toHaveURL(new RegExp(`from=${day(2)}`))

  await page.getByRole('checkbox', { name: 'Auto-refresh' }).check()
  const again = usage(page, day(2))
  await page.clock.runFor(60_000)
  await again
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Auto-refresh' })).toBeChecked()
})

test('first steps show what is done, until they are dismissed', async ({ userPage: page, user, workbench }) => {
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Getting started' })
  await expect(steps.getByRole('listitem')).toHaveText([
    /^Create a token\s*To do$/,
    /^Make a first call\s*To do$/,
    /^Add balance\s*Done$/,
    /^Enable two-factor sign-in\s*To do$/,
  ])
  await steps.getByRole('link', { name: 'Create a token' }).click()
  await expect(page).toHaveURL(/\/tokens\/add$/)
  await callModels(workbench, user.api, 'first', ['emu-n-tokens-44'])
  await page.goto('/dashboard')
  // With data to look at, the getting-started steps are collapsed.
  await steps.getByRole('button', { name: 'Getting started 3/4' }).click()
  await expect(steps.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(3)
  await steps.getByRole('button', { name: 'Do not show again' }).click()
  await expect(steps).toHaveCount(0)
  const answered = page.waitForResponse('**/api/user/dashboard?*')
  await page.reload()
  await answered
  await expect(page.getByText(/^Updated:/)).toBeVisible()
  await expect(steps).toHaveCount(0)
})

test('root has further first steps', async ({ rootPage: page, workbench }) => {
  await workbench.addChannel(['emu-n-tokens-45'])
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Getting started' })
  const small = steps.getByRole('button', { name: /^Getting started \d\/8$/ })
  await expect(small.or(steps.getByRole('list'))).toBeVisible()
  if (await small.isVisible()) await small.click()
  await expect(steps.getByRole('listitem').filter({ hasText: 'Add a channel' })).toContainText('Done')
  await expect(steps.getByRole('listitem')).toHaveCount(8)
})
