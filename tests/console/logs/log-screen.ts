import type { Locator, Page } from '@playwright/test'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { expect } from '../fixtures.ts'

export const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Logs', exact: true }).getByRole('rowgroup').last().getByRole('row')

export const trace = (page: Page): Locator => page.getByRole('dialog', { name: 'Request trace' })

export const factOf = (panel: Locator, name: string): Locator =>
  panel.getByRole('term').filter({ hasText: name }).locator('+ dd')

export const filterLine = (page: Page): Locator => page.getByRole('combobox', { name: 'Add filter' })

export const unfoldFilters = (page: Page): Promise<void> => page.getByRole('button', { name: /^Filters/ }).click()

/** Collects the calls for rows from now on. */
export function listCalls(page: Page): { readonly path: string; readonly query: URLSearchParams }[] {
  const calls: { path: string; query: URLSearchParams }[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (/\/api\/log\/(self\/?)?(search)?$/.test(pathname)) calls.push({ path: pathname, query: searchParams })
  })
  return calls
}

/** Waits for the user's rows, because calls are charged after their answers. */
export async function untilLogged(api: ManagementClient, count: number): Promise<void> {
  await expect.poll(async () => (await api.call(listOwnLogs, { query: { size: '100' } })).length).toBe(count)
}
