import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect } from '../fixtures.ts'
import { png } from '../pictures-of.ts'
import type { Screen } from './screen.ts'

/** This name tells the gateway that the model reads pictures. */
const SEEING = 'gpt-5.4'

const withToken: Pick<Screen, 'route' | 'as' | 'alone' | 'prepare'> = {
  route: '/chat',
  as: 'user',
  alone: true,
  prepare: async (bench, api) => {
    await bench.addChannel([SEEING])
    await api.call(createToken, { body: { name: 'camera', unlimited_quota: true } })
  },
}

async function attach(page: Page): Promise<void> {
  await page.goto(`/chat?model=${SEEING}`)
  const form = page.getByRole('form')
  await expect(page.getByRole('button', { name: 'Attach images', disabled: false })).toBeVisible()
  await form.locator('input[type=file]').setInputFiles([png('lock.png', 1_600, 900), png('gauge.png', 300, 900)])
  await expect(form.getByRole('button', { name: /^Enlarge / })).toHaveCount(2)
}

export const playgroundImageScreens: readonly Screen[] = [
  {
    ...withToken,
    name: 'playground-images',
    show: async (page) => {
      await attach(page)
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Read the gauge beside the lock.')
    },
  },
  {
    ...withToken,
    name: 'playground-image-open',
    show: async (page) => {
      await attach(page)
      await page.getByRole('button', { name: 'Enlarge lock.png' }).click()
      await expect(page.getByRole('dialog', { name: 'Image 1 of 2' }).getByRole('img')).toBeVisible()
    },
  },
]
