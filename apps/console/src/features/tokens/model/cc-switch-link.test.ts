import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { CC_SWITCH_APPS, ccSwitchLink } from './cc-switch-link.ts'

const parts = { origin: 'https://gateway.test', key: 'sk-a&b=c', model: 'odd/model name' }

test.each(CC_SWITCH_APPS)('the link for %s reads back as cc-switch reads it', (app) => {
  const link = new URL(ccSwitchLink(app, 'Ann’s gateway', parts))
  expect([link.protocol, link.host, link.pathname]).toEqual(['ccswitch:', 'v1', '/import'])
  const { usageScript, ...read } = Object.fromEntries(link.searchParams)
  expect(read).toEqual({
    resource: 'provider',
    app,
    name: 'Ann’s gateway',
    homepage: 'https://gateway.test',
    endpoint: app === 'codex' || app === 'opencode' ? 'https://gateway.test/v1' : 'https://gateway.test',
    apiKey: 'sk-a&b=c',
    model: 'odd/model name',
    usageEnabled: 'true',
    usageBaseUrl: 'https://gateway.test',
    usageAutoInterval: '30',
  })
  expect(atob(usageScript ?? '')).not.toContain('sk-a')
})

test('its script asks for the balance and reads the answer, also one without a limit', () => {
  const script = atob(new URL(ccSwitchLink('claude', 'g', parts)).searchParams.get('usageScript') ?? '')
  const read = (answer: object): unknown =>
    JSON.parse(String(runInNewContext(`JSON.stringify(${script}.extractor(${JSON.stringify(answer)}))`)))
  expect(String(runInNewContext(`JSON.stringify(${script}.request)`))).toBe(
    '{"url":"{{baseUrl}}/v1/usage","method":"GET","headers":{"Authorization":"Bearer {{apiKey}}"}}',
  )
  const answer = { isValid: true, remaining: 1.5, used: 0.5, total: 2, unit: 'USD' }
  expect(read({ ...answer, subscription: {} })).toEqual(answer)
  expect(read({ ...answer, remaining: -1, total: -1 })).toEqual({ isValid: true, used: 0.5, unit: 'USD' })
})
