import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import { self } from '@sluice/contract/routes/account'
import { deleteToken, listTokens } from '@sluice/contract/routes/tokens'
import { createUser } from '@sluice/contract/routes/users'
import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { openGatewayProxy } from './gateway-proxy.ts'
import { makeRoutesSure } from './sure-routes.ts'

export { expect }

interface WorkerFixtures {
  /** `specified` limits the gateway's replies to what the specification names. */
  readonly replies: 'whole' | 'specified'
  readonly address: string
  /** Gateway, emulator and a fresh database. The tests of one worker share them, so each test brings its own names. */
  readonly workbench: Workbench
}

interface TestFixtures {
  readonly enter: (client: ManagementClient) => Promise<void>
  readonly rootPage: Page
  /** A new user with a unique name, without the token that every account starts with. */
  readonly user: { readonly username: string; readonly password: string; readonly api: ManagementClient }
  readonly userPage: Page
}

/** Slow pages reveal tests that check the page too early. */
const DELAY_MS = Number(process.env['SLUICE_TEST_DELAY'] ?? 0)

export const test = base.extend<TestFixtures, WorkerFixtures>({
  workbench: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
    async ({}, use) => {
      const workbench = await openWorkbench()
      await use(workbench)
      await workbench.close()
    },
    { scope: 'worker' },
  ],
  replies: ['whole', { scope: 'worker', option: true }],
  address: [
    async ({ workbench, replies }, use) => {
      const { url } = workbench.gateway
      if (replies === 'whole' && DELAY_MS === 0) return await use(url)
      const before = await openGatewayProxy(url, { replies, delayMs: DELAY_MS })
      await use(before.url)
      await before.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ address }, use) => use(address),
  page: async ({ page }, use) => {
    makeRoutesSure(page)
    await use(page)
    // Replies in preparation no longer matter once a test is over.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  enter: ({ page, workbench }, use) => use((client) => enter(page, workbench, client)),
  rootPage: async ({ page, workbench, enter }, use) => {
    await enter(workbench.root)
    await use(page)
  },
  user: async ({ workbench }, use, info) => {
    const username = `u${info.testId.slice(-12)}${info.retry}`
    const password = `${ROOT_PASSWORD}-${username}`
    await workbench.root.call(createUser, { body: { username, password, quota: 10_000_000 } })
    const api = await signIn(workbench.gateway.url, username, password)
    for (const { id } of await api.call(listTokens)) await api.call(deleteToken, { path: { id } })
    await use({ username, password, api })
  },
  userPage: async ({ page, user, enter }, use) => {
    await enter(user.api)
    await use(page)
  },
})

/** Gives the browser a session without the sign-in form: the cookie, and what the console stores about the user. */
async function enter(page: Page, workbench: Workbench, client: ManagementClient): Promise<void> {
  const [name = '', value = ''] = client.cookie.split('=')
  await page.context().addCookies([{ name, value, url: workbench.gateway.url, httpOnly: true, sameSite: 'Lax' }])
  const { id, username, display_name, role, status } = await client.call(self)
  const record = JSON.stringify({ user: { id, username, display_name, role, status }, authenticated: true })
  await page.addInitScript((session) => {
    // Once per tab, so that signing out has a lasting effect.
    if (sessionStorage.getItem('entered') !== null) return
    sessionStorage.setItem('entered', 'yes')
    localStorage.setItem('sluice.session', session)
  }, record)
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
  }[]
}

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Axe may repeat its check this often while the page is changing its colours. */
const LOOKS = 3

/** Fails on any WCAG 2.2 A and AA violation that axe finds, and names each element. Checking contrast takes half of the time. */
export async function expectAccessible(page: Page, { contrast = true } = {}): Promise<void> {
  // evaluated once per document, because the content security policy forbids adding a script element
  const loaded = await page.evaluate(() => Reflect.has(globalThis, 'axe'))
  if (!loaded) await page.evaluate(await readFile(axeSource, 'utf8'))
  for (let looks = 1; ; looks++) {
    const { found, moved } = await findViolations(page, contrast)
    // Checks elements again that began to fade while axe was running, such as an expiring message.
    if (found.length > 0 && moved && looks < LOOKS) continue
    expect(found, `accessibility of ${page.url()}`).toEqual([])
    return
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
async function findViolations(page: Page, contrast: boolean) {
  type Found = AxeResult & { moved: boolean }
  const { violations, moved } = await page.evaluate<Found, { tags: readonly string[]; contrast: boolean }>(
    async (asked) => {
      // Colours in transition are not findings. Animations are finished rather than awaited, because the end of one behind a modal
      // dialog may never be reported. Endless ones are left out.
      for (const each of document.getAnimations()) {
        if (each.effect?.getComputedTiming().iterations !== Infinity) each.finish()
      }
      const seen = new AbortController()
      let hasMoved = false
      const note = () => {
        hasMoved = true
      }
      for (const event of ['transitionrun', 'animationstart']) document.addEventListener(event, note, seen)
      const result = await Reflect.get(globalThis, 'axe').run({
        runOnly: { type: 'tag', values: asked.tags },
        rules: { 'color-contrast': { enabled: asked.contrast } },
        resultTypes: ['violations'],
      })
      seen.abort()
      return { violations: result.violations, moved: hasMoved }
    },
    { tags: TAGS, contrast },
  )
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n  at ${node.target.join(' ')}\n  ${node.failureSummary}`),
  )
  return { found, moved }
}
