import { createRedemptions, redeem } from '@sluice/contract/routes/redemptions'
import { createUser, searchUsers, updateUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const PASSWORD = 'a password to look at'

/** Users whose names begin with the stem: one plain, one administrator with budgets, one disabled with a long name. */
async function addPeople({ root }: Workbench, stem: string): Promise<number> {
  const budgets = [{ period: 'day', quota: 100_000 } as const]
  await root.call(createUser, { body: { username: `${stem}-plain`, password: PASSWORD, quota: 750_000 } })
  const email = `${stem}@example.org`
  await root.call(createUser, { body: { username: `${stem}-admin`, password: PASSWORD, email, budgets } })
  await root.call(createUser, { body: { username: `${stem}-with-a-rather-long-name`, password: PASSWORD } })
  const users = await root.call(searchUsers, { query: { keyword: stem, sort: 'id', order: 'asc' } })
  const [plain, admin, long] = users.map(({ id }) => id)
  if (plain === undefined || admin === undefined || long === undefined) throw new Error('users are missing')
  await root.call(updateUser, { query: {}, body: { id: admin, role: 10 } })
  await root.call(updateUser, { query: { status_only: '1' }, body: { id: long, status: 2 } })
  return plain
}

export const peopleScreens: readonly Screen[] = [
  {
    name: 'users',
    route: '/users',
    as: 'root',
    prepare: async (bench) => void (await addPeople(bench, 'look')),
    show: async (page) => {
      await page.goto('/users?keyword=look-')
      await expect(page.getByRole('link', { name: 'look-plain' })).toBeVisible()
      await page.getByRole('checkbox', { name: 'Select look-plain' }).check()
    },
  },
  {
    name: 'user-panel',
    route: '/users',
    as: 'root',
    prepare: async (bench) => void (await addPeople(bench, 'seen')),
    show: async (page) => {
      await page.goto('/users?keyword=seen-')
      await page.getByRole('link', { name: 'seen-admin' }).click()
      await expect(page.getByRole('link', { name: 'Logs of default' })).toBeVisible()
    },
  },
  {
    name: 'user-add-dialog',
    route: '/users',
    as: 'root',
    show: async (page) => {
      await page.goto('/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByRole('button', { name: 'Generate' }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await expect(page.getByText('Username is required').first()).toBeVisible()
    },
  },
  {
    name: 'user-top-up',
    route: '/users',
    as: 'root',
    prepare: async (bench) => void (await addPeople(bench, 'poor')),
    show: async (page) => {
      await page.goto('/users?keyword=poor-plain')
      await page.getByRole('row').getByRole('button', { name: 'Top Up' }).click()
      await page.getByRole('button', { name: '$10', exact: true }).click()
      await expect(page.getByText('About $10.00')).toBeVisible()
    },
  },
  {
    name: 'user-form',
    route: '/users/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/users/add')
      await page.getByLabel('Email').fill('nowhere')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Username must be at least 3 characters').first()).toBeVisible()
    },
  },
  {
    name: 'user-edit',
    route: '/users/edit/$id',
    as: 'root',
    prepare: async (bench) => void (await addPeople(bench, 'known')),
    show: async (page) => {
      await page.goto('/users?keyword=known-admin')
      await page.getByRole('row').getByRole('link', { name: 'Edit' }).click()
      await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('known@example.org')
    },
  },
  {
    name: 'redemptions',
    route: '/redemptions',
    as: 'root',
    prepare: async (bench) => {
      const { root, gateway } = bench
      await addPeople(bench, 'rich')
      const [code = ''] = await root.call(createRedemptions, { body: { name: 'look-codes', quota: 500_000, count: 3 } })
      const api = await signIn(gateway.url, 'rich-plain', PASSWORD)
      await api.call(redeem, { body: { key: code } })
    },
    show: async (page) => {
      await page.goto('/redemptions?keyword=look-codes')
      await expect(page.getByRole('row').filter({ hasText: 'rich-plain' })).toBeVisible()
    },
  },
  {
    name: 'redemption-codes',
    route: '/redemptions',
    as: 'root',
    show: async (page) => {
      await page.goto('/redemptions/add')
      await page.getByLabel('Name').fill('look-made')
      await page.getByLabel('Count', { exact: true }).fill('4')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('button', { name: 'Copy all' })).toBeVisible()
    },
  },
  {
    name: 'redemption-form',
    route: '/redemptions/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/redemptions/add')
      await page.getByLabel('Count', { exact: true }).fill('101')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Count cannot exceed 100').first()).toBeVisible()
    },
  },
  {
    name: 'redemption-edit',
    route: '/redemptions/edit/$id',
    as: 'root',
    prepare: async ({ root }) =>
      void (await root.call(createRedemptions, { body: { name: 'look-stored', quota: 500_000, count: 1 } })),
    show: async (page) => {
      await page.goto('/redemptions?keyword=look-stored')
      await page.getByRole('row').getByRole('link', { name: 'Edit' }).click()
      await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('look-stored')
    },
  },
]
