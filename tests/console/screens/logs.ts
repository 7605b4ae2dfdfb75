import { createToken } from '@sluice/contract/routes/tokens'
import { callModels, MESSAGES } from '../charged-calls.ts'
import { expect } from '../fixtures.ts'
import { WIDE_CHARGE } from '../wide-charge.ts'
import type { Screen } from './screen.ts'

const openTrace = /^Open the trace of/

export const logScreens: readonly Screen[] = [
  {
    name: 'logs',
    route: '/logs',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'ci', ['emu-n-tokens-46', 'emu-n-tokens-470', 'emu-n-tokens-46', 'emu-delay-1100'])
    },
    show: async (page) => {
      await page.goto('/logs?type=2&stats=true')
      await expect(page.getByRole('link', { name: openTrace })).toHaveCount(4)
      await expect(page.getByRole('region', { name: 'Total quota' })).toContainText('points')
      await expect(page.getByText(/^4 logs ·/)).toBeVisible()
    },
  },
  {
    name: 'log-filters',
    route: '/logs',
    as: 'root',
    show: async (page) => {
      await page.goto('/logs?model=none&username=somebody&channel=7&type=2')
      await page.getByRole('button', { name: /^Filters/ }).click()
      await page.getByRole('button', { name: 'Show as a table' }).click()
      await page.getByRole('combobox', { name: 'Add filter' }).click()
      await expect(page.getByRole('option', { name: 'type:' })).toBeVisible()
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    },
  },
  {
    name: 'log-views',
    route: '/logs',
    as: 'user',
    show: async (page) => {
      await page.goto('/logs?type=3')
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Save view…' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
    },
  },
  {
    name: 'logs-live',
    route: '/logs',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'ci', ['emu-n-tokens-85'])
    },
    show: async (page) => {
      await page.goto('/logs?live=true')
      await expect(page.getByText('2 logs, newest first')).toBeVisible()
    },
  },
  {
    name: 'running-calls',
    route: '/logs',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      // Runs longer than the screen is checked, and ends with the workbench.
      const model = 'emu-pace-900-500'
      await bench.addChannel([model])
      const { key } = await api.call(createToken, { body: { name: 'agent', unlimited_quota: true } })
      await bench.chat(key, { model, messages: MESSAGES, stream: true })
    },
    show: async (page) => {
      await page.goto('/logs?live=true')
      await expect(page.getByRole('region', { name: 'Running now' })).toContainText('Answering')
    },
  },
  {
    name: 'log-trace',
    route: '/logs',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'ci', ['emu-n-tokens-86'])
    },
    show: async (page) => {
      await page.goto('/logs?type=2')
      await page.getByRole('link', { name: openTrace }).click()
      await expect(page.getByRole('dialog', { name: 'Request trace' })).toContainText('Total time')
      await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('List price')
    },
  },
  {
    name: 'receipt-refund',
    route: '/logs',
    as: 'root',
    prepare: async (bench, api) => {
      await callModels(bench, api, 'look', ['emu-n-tokens-87'])
    },
    show: async (page) => {
      await page.route('**/api/log/*/receipt*', async (route) => {
        const answer = await route.fetch()
        const { data, ...envelope } = await answer.json()
        const wide = { ...data, missing: ['log'], movements: [WIDE_CHARGE] }
        await route.fulfill({ json: { ...envelope, data: wide } })
      })
      await page.goto('/logs?type=2&model=emu-n-tokens-87')
      await page.getByRole('link', { name: openTrace }).first().click()
      await page.getByRole('button', { name: 'Refund…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Refund' })
      await expect(dialog).toBeVisible()
      // The dialog is half transparent while it appears.
      await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
    },
  },
]
