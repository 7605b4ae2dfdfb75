import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

/** Has no table or figures, which would be checked together with whatever covers the page. */
const showAccount = async (page: Page) => {
  await page.goto('/users/edit')
  await expect(page.getByLabel('Username')).not.toHaveValue('')
}

export const shellScreens: readonly Screen[] = [
  {
    name: 'palette',
    route: '/users/edit',
    as: 'root',
    show: async (page) => {
      await showAccount(page)
      await page.keyboard.press('ControlOrMeta+k')
      const palette = page.getByRole('dialog', { name: 'Command palette' })
      await expect(palette.getByRole('group', { name: 'Go to' })).toBeVisible()
    },
  },
  {
    name: 'shortcuts',
    route: '/users/edit',
    as: 'root',
    show: async (page) => {
      await showAccount(page)
      await page.keyboard.press('Shift+?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  {
    name: 'logout',
    route: '/users/edit',
    as: 'user',
    show: async (page) => {
      await showAccount(page)
      await page.getByRole('button', { name: /^Account menu for/ }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await expect(page.getByRole('alertdialog', { name: 'Confirm logout' })).toBeVisible()
    },
  },
  {
    name: 'navigation',
    route: '/users/edit',
    as: 'root',
    show: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await showAccount(page)
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await expect(page.getByRole('dialog', { name: 'Main navigation' })).toBeVisible()
    },
  },
]
