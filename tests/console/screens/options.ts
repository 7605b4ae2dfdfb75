import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const optionScreens: readonly Screen[] = [
  {
    name: 'settings-operation',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await page.goto('/settings?tab=operation')
      await page.getByRole('textbox', { name: 'Group ratios' }).fill('{\n  "default" 1\n}')
      const retries = page.getByRole('textbox', { name: 'Retries' })
      await retries.fill('-1')
      await retries.press('Enter')
      await expect(page.getByText('Enter a whole number from 0 to 10.').first()).toBeVisible()
      await page.getByRole('textbox', { name: 'Chat link' }).fill('https://chat.example.com')
    },
  },
  {
    name: 'settings-consequence',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await page.goto('/settings?tab=operation')
      const field = page.getByRole('textbox', { name: 'Quota points per currency unit' })
      await field.fill('1000000')
      await field.press('Enter')
      await expect(page.getByRole('alertdialog')).toContainText('no one gains or loses anything')
    },
  },
  {
    name: 'settings-system',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await page.goto('/settings?tab=system')
      const server = page.getByRole('textbox', { name: 'SMTP server' })
      await server.fill('mail.example.com:25')
      await server.press('Enter')
      await expect(page.getByText('Not saved: SMTPServer must be')).toBeVisible()
    },
  },
  {
    name: 'settings-other',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await page.goto('/settings?tab=other')
      await page.getByRole('textbox', { name: 'About page' }).fill('# About us\n\n| a | b |\n|---|---|\n| 1 | 2 |')
      await page.getByRole('button', { name: 'Preview of About page' }).click()
      await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
    },
  },
  {
    name: 'settings-search',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await page.goto('/settings?tab=operation&find=token')
      await expect(page.getByText('settings found')).toBeVisible()
    },
  },
]
