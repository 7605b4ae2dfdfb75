import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { clientSetups } from './client-setups.ts'

const parts = { origin: 'https://gateway.test', key: 'sk-abc', model: `odd 'model" name` }
const setups = clientSetups(parts)

describe('client set-ups', () => {
  it.each(setups.map((setup) => [setup.name, setup] as const))('%s names address and key', (_name, { text }) => {
    expect(text).toContain(parts.origin)
    expect(text).toContain(parts.key)
  })

  it.each(setups.filter(({ file }) => file === undefined).map((setup) => [setup.name, setup] as const))(
    '%s: a shell reads back the intended values',
    (_name, { text }) => {
      const lines = text.split('\n')
      const command = lines.pop() ?? ''
      const printed = execFileSync(
        'sh',
        ['-c', `${lines.join('\n')}\nprintf '%s\\n' ${command}\nenv | grep -E 'sk-abc|odd'`],
        {
          encoding: 'utf8',
        },
      )
      if (text.includes('odd')) expect(printed).toContain(parts.model)
      expect(printed).toContain(`=${parts.key}`)
    },
  )

  it('sets a variable to 1 with which Claude Code lists the models of the gateway', () => {
    const { text = '' } = setups.find(({ name }) => name === 'Claude Code') ?? {}
    const lines = text.split('\n').slice(0, -1)
    const printed = execFileSync('sh', ['-c', `${lines.join('\n')}\nenv`], { encoding: 'utf8' })
    expect(printed).toContain('\nCLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1\n')
  })

  it('JSON files are JSON', () => {
    const json = setups.filter(({ file }) => file?.endsWith('.json') === true)
    expect(json).toHaveLength(1)
    for (const { text } of json)
      expect(JSON.parse(text)).toMatchObject({ provider: { gateway: { options: { apiKey: 'sk-abc' } } } })
  })

  it('have distinct names', () => {
    expect(new Set(setups.map(({ name }) => name)).size).toBe(setups.length)
  })
})
