import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { CC_SWITCH_APPS, ccSwitchLink, clientSetups } from './client-setups.ts'

const parts = { origin: 'https://gateway.test', key: 'sk-abc', model: `odd 'model" name` }
const setups = clientSetups(parts)

/** Setups may write into the reader's home. */
const home = mkdtempSync(join(tmpdir(), 'sluice-setups-'))
const env = { PATH: process.env['PATH'], HOME: home }
afterAll(() => rmSync(home, { recursive: true }))

describe('client set-ups', () => {
  it.each(setups.map((setup) => [setup.name, setup] as const))('%s names address and key', (_name, { text }) => {
    expect(text).toContain(parts.origin)
    expect(text).toContain(parts.key)
  })

  it.each(
    setups
      .filter(({ text }) => text.startsWith('export ') || text.startsWith('['))
      .map((setup) => [setup.name, setup] as const),
  )('%s: a shell reads back the intended values', (_name, { text }) => {
    const lines = text.split('\n')
    const command = lines.pop() ?? ''
    const printed = execFileSync(
      'sh',
      ['-c', `${lines.join('\n')}\nprintf '%s\\n' ${command}\nenv | grep -E 'sk-abc|odd'`],
      { encoding: 'utf8', env },
    )
    if (text.includes('odd')) expect(printed).toContain(parts.model)
    expect(printed).toContain(`=${parts.key}`)
  })

  it('sets a variable to 1 with which Claude Code lists the models of the gateway', () => {
    const { text = '' } = setups.find(({ name }) => name === 'Claude Code') ?? {}
    const lines = text.split('\n').slice(0, -1)
    const printed = execFileSync('sh', ['-c', `${lines.join('\n')}\nenv`], { encoding: 'utf8', env })
    expect(printed).toContain('\nCLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1\n')
  })

  it('chooses the key as Gemini CLI’s sign-in, without which it starts only for a person, and keeps settings that exist', () => {
    const settings = join(home, '.gemini', 'settings.json')
    const { text = '' } = setups.find(({ name }) => name === 'Gemini CLI') ?? {}
    const lines = text.split('\n').slice(0, -1).join('\n')
    execFileSync('sh', ['-c', lines], { env })
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      security: { auth: { selectedType: 'gemini-api-key' } },
    })
    execFileSync('sh', ['-c', `echo '{}' > "$HOME/.gemini/settings.json"\n${lines}`], { env })
    expect(readFileSync(settings, 'utf8')).toBe('{}\n')
  })

  it('a shell hands Cline the intended words', () => {
    const { text = '' } = setups.find(({ name }) => name === 'Cline') ?? {}
    const [line = ''] = text.split('\n')
    const printed = execFileSync('sh', ['-c', line.replace(/^cline/, "printf '%s\\n'")], { encoding: 'utf8', env })
    expect(printed.split('\n')).toEqual(expect.arrayContaining([`${parts.origin}/v1`, parts.key, parts.model]))
  })

  it('JSON files are JSON', () => {
    const zed = setups.find(({ name }) => name === 'Zed')?.text.split('\n') ?? []
    expect(zed[0]).toMatch(/^\/\/ /)
    expect(JSON.parse(zed.slice(1).join('\n'))).toMatchObject({
      language_models: {
        openai_compatible: {
          gateway: {
            api_url: 'https://gateway.test/v1',
            available_models: [{ name: parts.model, max_tokens: 128_000, capabilities: { prompt_cache_key: true } }],
          },
        },
      },
    })
    const json = setups.filter(({ file }) => file === 'opencode.json')
    expect(json).toHaveLength(1)
    for (const { text } of json)
      expect(JSON.parse(text)).toMatchObject({ provider: { gateway: { options: { apiKey: 'sk-abc' } } } })
  })

  it('have distinct names', () => {
    expect(new Set(setups.map(({ name }) => name)).size).toBe(setups.length)
  })
})

const linked = { origin: 'https://gateway.test', key: 'sk-a&b=c', model: 'odd/model name' }

it.each(CC_SWITCH_APPS)('the link for %s reads back as cc-switch reads it', (app) => {
  const link = new URL(ccSwitchLink(app, 'Ann’s gateway', linked))
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

it('its script asks for the balance and reads the answer, also one without a limit', () => {
  const script = atob(new URL(ccSwitchLink('claude', 'g', linked)).searchParams.get('usageScript') ?? '')
  const read = (answer: object): unknown =>
    JSON.parse(String(runInNewContext(`JSON.stringify(${script}.extractor(${JSON.stringify(answer)}))`)))
  expect(String(runInNewContext(`JSON.stringify(${script}.request)`))).toBe(
    '{"url":"{{baseUrl}}/v1/usage","method":"GET","headers":{"Authorization":"Bearer {{apiKey}}"}}',
  )
  const answer = { isValid: true, remaining: 1.5, used: 0.5, total: 2, unit: 'USD' }
  expect(read({ ...answer, subscription: {} })).toEqual(answer)
  expect(read({ ...answer, remaining: -1, total: -1 })).toEqual({ isValid: true, used: 0.5, unit: 'USD' })
})
