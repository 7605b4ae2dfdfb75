import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { snippet, SNIPPET_LANGUAGES } from './snippets.ts'

const parts = { baseUrl: 'http://gateway.test/v1', key: 'sk-abc', model: 'gpt-5' }

describe('snippets', () => {
  it.each(SNIPPET_LANGUAGES)('%s names base URL, key and model', (language) => {
    const text = snippet(language, parts)
    for (const part of Object.values(parts)) expect(text).toContain(part)
  })

  it('curl: a shell reads the body back as it was meant, quotes in the model included', () => {
    const text = snippet('curl', { ...parts, model: `it's "x"` })
    const printed = execFileSync('sh', ['-c', text.replace(/^curl /, `printf '%s\\n' `)], { encoding: 'utf8' })
    const body: unknown = JSON.parse(printed.trim().split('\n').at(-1) ?? '')
    expect(body).toEqual({ model: `it's "x"`, messages: [{ role: 'user', content: 'Say hello.' }] })
  })

  it('JavaScript: is a module that parses', () => {
    const text = snippet('JavaScript', { ...parts, model: 'a"b' })
    expect(() => execFileSync(process.execPath, ['--check', '--input-type=module', '-'], { input: text })).not.toThrow()
  })
})
