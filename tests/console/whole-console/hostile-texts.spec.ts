import type { Page } from '@playwright/test'
import { listChannels, createChannel } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { createRedemptions } from '@sluice/contract/routes/redemptions'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import { createUser, listUsers } from '@sluice/contract/routes/users'
import { startSite } from '@sluice/testkit/http-site'
import { signIn } from '@sluice/testkit/management-client'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, test as base } from '../fixtures.ts'

/** The texts fill every screen of this gateway, so no other test uses it. */
const test = base.extend<object, { own: Workbench }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
    async ({}, use) => {
      const own = await openWorkbench()
      await use(own)
      await own.close()
    },
    { scope: 'worker' },
  ],
  workbench: [({ own }, use) => use(own), { scope: 'worker' }],
})

/** Each text runs, loads, navigates away or covers something wherever it is treated as more than text. All fit in 30 characters. */
const SHORT = [
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '"><script>alert(1)</script>',
  "javascript:alert('1')",
  '[x](javascript:alert(1))',
  '![x](//evil.test/p.png)',
  '{{7*7}}${7*7}<%=7*7%>',
  '\u202egnp.exe\u2066\u200f עברית',
] as const
const LONG = [
  ...SHORT,
  '<iframe src=//evil.test srcdoc="<script>parent.alert(1)</script>">',
  '</style><style>@import "//evil.test/x.css";body{display:none}</style>',
  'data:text/html,<script>alert(1)</script>',
  'W'.repeat(90),
] as const
const ALL = LONG.join(' ')

/** Writes the texts wherever someone can write: as a user, an administrator and a provider. */
async function fill(bench: Workbench, provider: string): Promise<void> {
  const { root, gateway } = bench
  const password = 'a long password'
  await root.call(createUser, { body: { username: '<img/src=x onerror=alert(1)>', password, quota: 5_000_000 } })
  for (const [index, text] of SHORT.entries()) {
    const display_name = text.slice(0, 20)
    await root.call(createUser, { body: { username: `hostile${index}`, password, display_name, quota: 5_000_000 } })
    await root.call(createToken, { body: { name: text, unlimited_quota: true } })
    await root.call(createRedemptions, { body: { name: text.slice(0, 20), quota: 1, count: 1 } })
  }
  for (const name of LONG) {
    const model_configs = JSON.stringify({ [ALL.slice(0, 60)]: { ratio: 1 }, 'hostile-model': { ratio: 1 } })
    const models = `hostile-model,${SHORT[0]},${SHORT[1]}`
    await root.call(createChannel, {
      body: { name, type: 50, key: 'sk-hostile', base_url: provider, models, model_configs, group: 'default' },
    })
  }
  for (const [key, value] of [
    ['SystemName', SHORT[0]],
    // HTML that operators may write has its own tests, in content.spec.ts.
    ['Notice', ALL],
  ] as const) {
    await root.call(updateOption, { body: { key, value } })
  }
  const headers = {
    authorization: `Bearer ${await bench.addToken({ name: LONG[10].slice(0, 30) })}`,
    'content-type': 'application/json',
    'user-agent': SHORT[0],
    'x-title': SHORT[2],
    'http-referer': SHORT[3],
    'x-request-id': SHORT[1],
  }
  for (const model of ['hostile-model', 'hostile-model', SHORT[0], SHORT[1], ALL.slice(0, 200)]) {
    const body = JSON.stringify({ model, user: ALL, metadata: { a: ALL }, messages: [{ role: 'user', content: ALL }] })
    await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
  }
  for (const username of [SHORT[2], 'root']) {
    const body = JSON.stringify({ username, password: 'wrong' })
    await fetch(`${gateway.url}/api/user/login`, { method: 'POST', headers, body })
  }
  await signIn(gateway.url, 'hostile0', password)
}

/** Collects what a browser reports if a text was treated as more than text. */
function watch(page: Page, own: string): readonly string[] {
  const shown: string[] = []
  page.on('dialog', (dialog) => {
    shown.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => shown.push(`page error ${String(error)}`))
  page.on(
    'console',
    (message) => message.type() === 'error' && shown.push(`console ${message.text().slice(0, 200)} at ${page.url()}`),
  )
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== own && !/^(data|blob):$/.test(protocol)) shown.push(`request ${request.url()}`)
  })
  page.on('popup', () => shown.push('popup'))
  return shown
}

const UNSAFE = [
  'script:not([src^="/"]):not([src^="http"])',
  '[onerror], [onload], [onclick], [onfocus]',
  '[href^="javascript:" i], [href^="data:" i], :is([href], [src]):is([href^="//"], [src^="//"])',
  'iframe, object, embed, base, meta[http-equiv="refresh"]',
  'img[src="x"]',
].join(', ')

async function expectTexts(page: Page, where: string): Promise<void> {
  expect
    .soft(await page.locator(UNSAFE).evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 200))), where)
    .toEqual([])
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(beyond, `pixels that ${where} is too wide`).toBe(0)
}

test(
  'what users, administrators and providers wrote is plain text on every screen',
  { tag: '@S14' },
  async ({ own, page, enter, address }) => {
    test.slow()
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
    const said = { role: 'assistant', content: ALL }
    const answer = {
      id: SHORT[2],
      object: 'chat.completion',
      model: ALL,
      choices: [{ index: 0, message: said, finish_reason: 'stop' }],
      usage,
    }
    const error = { message: ALL, type: SHORT[0], code: SHORT[2], param: SHORT[1] }
    let calls = 0
    const provider = await startSite(() => (calls++ % 2 === 0 ? { status: 400, body: { error } } : { body: answer }))
    await fill(own, provider.url)
    await provider.close()
    const shown = watch(page, address)
    await enter(own.root)
    const [channel] = await own.root.call(listChannels)
    const [token] = await own.root.call(listTokens)
    const [user] = await own.root.call(listUsers)
    const tabs = ['personal', 'system', 'operation', 'other']
    const paths = [
      '/',
      '/about',
      '/status',
      '/models',
      '/dashboard',
      '/topup',
      '/tokens',
      `/tokens/edit/${token?.id}`,
      '/logs?size=100',
      '/logs?type=5&size=100',
      '/channels?size=100',
      `/channels/edit/${channel?.id}`,
      '/channels/explain',
      '/users?size=100',
      `/users/edit/${user?.id}`,
      '/redemptions?size=100',
      '/alarms',
      '/chat',
      ...tabs.map((tab) => `/settings?tab=${tab}`),
      `/tokens?keyword=${encodeURIComponent(SHORT[0])}`,
      `/logs?model=${encodeURIComponent(SHORT[2])}&username=${encodeURIComponent(SHORT[1])}`,
      `/login?redirect_to=${encodeURIComponent(SHORT[3])}`,
      `/oauth/github?code=x&state=${encodeURIComponent(SHORT[2])}`,
    ]
    for (const path of paths) {
      await page.goto(path)
      await expect(page.locator('#main, main').first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectTexts(page, path)
    }

    await page.goto('/tokens')
    await expect(page.getByText(SHORT[0]).first()).toBeVisible()
    await page.goto('/channels?size=100')
    await expect(page.getByText(SHORT[7].slice(1, 8)).first()).toBeVisible()
    await page.goto('/logs?size=100')
    await page
      .getByRole('link', { name: /^Open the trace of/ })
      .first()
      .click()
    await expect(page.getByRole('dialog').getByText('hostile-model').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expectTexts(page, 'a trace')
    await page.goto('/')
    expect(shown).toEqual([])
    await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Read more' }).click()
    // The sanitiser leaves an empty frame of the first picture, and nothing of the rest.
    await expect(page.getByRole('dialog', { name: 'Notice' }).locator('.prose img')).toHaveCount(1)
    await expectTexts(page, 'the notice')
    // For a document that only the sanitiser reads, Chromium also reports that it would not run it.
    expect(shown.filter((what) => !what.includes('Content Security Policy'))).toEqual([])
  },
)
