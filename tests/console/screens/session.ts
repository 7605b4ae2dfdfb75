import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

/** Changes public settings for this page only, because other tests must not see the change. */
async function withSettings(page: Page, changes: object): Promise<void> {
  await page.route('**/api/status?*', async (route) => {
    const reply = await route.fetch()
    const envelope = (await reply.json()) as { readonly data: object }
    await route.fulfill({ json: { ...envelope, data: { ...envelope.data, ...changes } } })
  })
}

const PROVIDERS = { github_oauth: true, lark_client_id: 'cli_1', oidc: true, wechat_login: true } as const

export const sessionScreens: readonly Screen[] = [
  {
    name: 'sign-in',
    route: '/login',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByText('Username is required')).toBeVisible()
    },
  },
  {
    name: 'sign-in-with-providers',
    route: '/login',
    as: 'visitor',
    show: async (page) => {
      await withSettings(page, { ...PROVIDERS, password_login: false })
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign in with GitHub' })).toBeVisible()
    },
  },
  {
    name: 'sign-in-second-step',
    route: '/login',
    as: 'visitor',
    show: async (page) => {
      await page.route('**/api/user/login', (route) =>
        route.fulfill({ json: { success: false, message: 'totp_required', data: { totp_required: true } } }),
      )
      await page.goto('/login')
      await page.getByLabel('Username').fill('somebody')
      await page.getByLabel('Password', { exact: true }).fill('a password')
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('One-time code')).toBeFocused()
    },
  },
  {
    name: 'register',
    route: '/register',
    as: 'visitor',
    show: async (page) => {
      await withSettings(page, PROVIDERS)
      await page.goto('/register?aff=ab12')
      await page.getByLabel('Password', { exact: true }).fill('garden7boat')
      await page.getByLabel('Email').fill('nobody@')
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByText('Verification code is required')).toBeVisible()
    },
  },
  {
    name: 'reset-request',
    route: '/reset',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/reset')
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await expect(page.getByLabel('Email')).toBeFocused()
    },
  },
  {
    name: 'reset-sent',
    route: '/reset',
    as: 'visitor',
    show: async (page) => {
      await page.route('**/api/reset_password?*', (route) => route.fulfill({ json: { success: true, message: '' } }))
      await page.goto('/reset')
      await page.getByLabel('Email').fill('somebody.with.a.long.name@mail.example.com')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check Your Email')
    },
  },
  {
    name: 'reset-completion',
    route: '/user/reset',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/user/reset?email=somebody@example.com&token=abc')
      await page.getByLabel('New password').fill('1234567')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Password confirmation is required')).toBeVisible()
    },
  },
  {
    name: 'provider-callback',
    route: '/oauth/github',
    as: 'visitor',
    show: async (page) => {
      // Fails once and then never answers, so that the screen stays the same for a while.
      const json = { success: false, message: 'GitHub could not be asked: it answered 503.' }
      await page.route('**/api/oauth/github?*', () => new Promise<void>(() => {}))
      await page.route('**/api/oauth/github?*', (route) => route.fulfill({ json }), { times: 1 })
      await page.goto('/oauth/github?code=abc&state=def')
      await expect(page.getByText('retrying 1/3')).toBeVisible()
    },
  },
  {
    name: 'provider-second-step',
    route: '/oauth/lark',
    as: 'visitor',
    show: async (page) => {
      const json = { success: false, message: 'totp_required', data: { totp_required: true } }
      await page.route('**/api/oauth/lark?*', (route) => route.fulfill({ json }))
      await page.goto('/oauth/lark?code=abc&state=def')
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await expect(page.getByLabel('Recovery code')).toBeFocused()
    },
  },
  {
    name: 'provider-asked',
    route: '/oauth/oidc',
    as: 'visitor',
    show: async (page) => {
      await page.route('**/api/oauth/oidc?*', () => new Promise<void>(() => {}))
      await page.goto('/oauth/oidc?code=abc&state=def')
      await expect(page.getByRole('status').filter({ hasText: '…' })).toBeVisible()
    },
  },
]
