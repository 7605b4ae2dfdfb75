import type { Page } from '@playwright/test'
import { startLedgerCheck } from '@sluice/contract/routes/ledger'
import { callModels } from '../charged-calls.ts'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const showDashboard = async (page: Page) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('slider', { name: 'Token Usage' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Getting started' })).toBeVisible()
}

export const dashboardScreens: readonly Screen[] = [
  {
    name: 'dashboard',
    route: '/dashboard',
    as: 'user',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'ci', ['emu-n-tokens-17', 'emu-n-tokens-18'])
    },
    show: showDashboard,
  },
  {
    name: 'dashboard-empty',
    route: '/dashboard',
    alone: true,
    as: 'user',
    show: async (page) => {
      await page.goto('/dashboard')
      const steps = page.getByRole('region', { name: 'Getting started' })
      await expect(steps).toBeVisible()
      // Collapsed on a phone, where it would cover the figures.
      const small = steps.getByRole('button', { name: /^Getting started/ })
      if (await small.isVisible()) await small.click()
      await expect(steps.getByRole('link', { name: 'Create a token' })).toBeVisible()
    },
  },
  {
    name: 'dashboard-table',
    route: '/dashboard',
    as: 'user',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'ci', ['emu-n-tokens-19'])
    },
    show: async (page) => {
      await showDashboard(page)
      await page.getByRole('button', { name: 'Show Model Usage as a table' }).click()
      await page.getByRole('button', { name: 'Download Model Usage' }).click()
      await expect(page.getByRole('menuitem', { name: 'Values as CSV' })).toBeVisible()
    },
  },
  {
    name: 'audit',
    route: '/dashboard',
    as: 'root',
    prepare: async (_bench, api) => {
      // Another test may have started the check; only one runs at a time.
      await api.call(startLedgerCheck, { body: { mode: 'full' } }).catch(() => undefined)
    },
    show: async (page) => {
      await page.goto('/dashboard?audit=true')
      const panel = page.getByRole('dialog', { name: 'Ledger audit' })
      await expect(panel.getByRole('region', { name: 'Ledger rules' })).toBeVisible()
    },
  },
]
