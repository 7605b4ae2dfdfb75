import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'
import { showTalk, TALKERS } from './talk.ts'

const STALLING = 'emu-stall'

const withToken: Pick<Screen, 'route' | 'as' | 'alone' | 'prepare'> = {
  route: '/chat',
  as: 'user',
  alone: true,
  prepare: async (bench, api) => {
    await bench.addChannel([...TALKERS, STALLING])
    await api.call(createToken, { body: { name: 'notebook', unlimited_quota: true } })
  },
}

const replies = (page: Page) => page.getByRole('article', { name: /^Reply/ })
const ready = (page: Page) => expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeEnabled()

async function showLock(page: Page): Promise<void> {
  await showTalk(page, 'lock')
  await expect(replies(page).locator('math')).toHaveCount(3)
  await expect(replies(page).locator('pre span').first()).toBeVisible()
}

async function fromMenu(page: Page, name: string): Promise<void> {
  const more = page.getByRole('main').getByRole('button', { name: 'More actions' })
  if (await more.isVisible()) {
    await more.click()
    await page.getByRole('menuitem', { name }).click()
  } else await page.getByRole('button', { name }).click()
}

export const playgroundScreens: readonly Screen[] = [
  { ...withToken, name: 'playground', show: showLock },
  {
    ...withToken,
    name: 'playground-empty',
    show: async (page) => {
      await page.goto(`/chat?model=${TALKERS[0]}`)
      await ready(page)
      await expect(page.getByRole('heading', { name: 'What would you like to try?' })).toBeVisible()
    },
  },
  {
    ...withToken,
    name: 'playground-compare',
    show: async (page) => {
      await showTalk(page, 'compared', `&with=${TALKERS[1]}`)
      await expect(replies(page).first()).toContainText('A sluice is a gate')
    },
  },
  {
    ...withToken,
    name: 'playground-live',
    show: async (page) => {
      await page.goto(`/chat?model=${STALLING}`)
      await ready(page)
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('How does a sluice work?')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Generating')).toBeVisible()
      await expect(replies(page)).toContainText(/\w+ \w+/)
    },
  },
  {
    ...withToken,
    name: 'playground-failed',
    show: async (page) => {
      await showTalk(page, 'failed')
      await expect(page.getByText('The connection was lost before the reply was complete.')).toBeVisible()
    },
  },
  {
    name: 'playground-no-token',
    route: '/chat',
    as: 'user',
    alone: true,
    show: async (page) => {
      await page.goto('/chat')
      await expect(page.getByText('No API Tokens Available').first()).toBeVisible()
    },
  },
  {
    ...withToken,
    name: 'playground-conversations',
    show: async (page) => {
      await showLock(page)
      await page.getByRole('button', { description: 'Conversations' }).click()
      await page.getByRole('button', { name: 'Actions for Names for a narrowboat' }).click()
      await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    },
  },
  {
    ...withToken,
    name: 'playground-settings',
    show: async (page) => {
      await showLock(page)
      const window = page.viewportSize()
      // Covers the conversation where there is no room next to it.
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Show settings' }).click()
      await expect(page.getByRole('dialog').getByRole('slider', { name: 'Max tokens' })).toBeVisible()
      if (window !== null) await page.setViewportSize(window)
    },
  },
  {
    ...withToken,
    name: 'playground-edit',
    show: async (page) => {
      await showLock(page)
      await page.getByRole('button', { name: 'Edit message' }).first().click()
      await expect(page.getByRole('dialog', { name: 'Edit message' })).toBeVisible()
    },
  },
  {
    ...withToken,
    name: 'playground-code',
    show: async (page) => {
      await showLock(page)
      await fromMenu(page, 'View as code')
      await expect(page.getByRole('dialog', { name: 'View as code' })).toContainText('curl')
    },
  },
  {
    ...withToken,
    name: 'playground-export',
    show: async (page) => {
      await showLock(page)
      await fromMenu(page, 'Export conversation')
      await expect(page.getByRole('dialog', { name: 'Export conversation' })).toContainText('SHA-256')
    },
  },
]
