import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { firstRequest, snippet, SNIPPET_LANGUAGES, type SnippetParts } from './snippets.ts'

const place = { baseUrl: 'http://gateway.test/v1', key: 'sk-abc' }
const first: SnippetParts = { ...place, body: firstRequest('gpt-5') }

const hard: SnippetParts = {
  ...place,
  body: {
    model: `it's "x" \\`,
    messages: [
      { role: 'system', content: 'Don\'t \\"quote\\".\nSecond line\t$HOME `ls` \u2028 \u{1F600}' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${'A'.repeat(200)}` } }],
      },
    ],
    stream: true,
    temperature: 0.7,
    stop: ["'", '"', '\\'],
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    none: null,
    empty: {},
  },
}

/** The body that `curl` would send after the shell has read the text. */
function sentByCurl(text: string): unknown {
  const printed = execFileSync('sh', ['-c', text.replace(/^curl /, `printf '%s\\0' `)], { encoding: 'utf8' })
  return JSON.parse(printed.split('\0').at(-2) ?? '')
}

describe('snippets', () => {
  it.each(SNIPPET_LANGUAGES)('%s names base URL, key and model', (language) => {
    const text = snippet(language, first)
    for (const part of [place.baseUrl, place.key, 'gpt-5']) expect(text).toContain(part)
  })

  it.each([first, hard])('curl: a shell reads the body back as intended (%#)', (parts) => {
    expect(sentByCurl(snippet('curl', parts))).toEqual(parts.body)
  })

  it.each([first, hard])('JavaScript: passes the body as intended (%#)', (parts) => {
    const client = `class OpenAI { chat = { completions: { create: (body) => { console.log(JSON.stringify(body)); process.exit() } } } }`
    const program = snippet('JavaScript', parts).replace(/^import .*/, client)
    const printed = execFileSync(process.execPath, ['--input-type=module', '-'], { input: program, encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual(parts.body)
  })

  it('writes short requests on few lines, and prints a streamed reply while it arrives', () => {
    expect(snippet('JavaScript', first).split('\n').slice(3, 7)).toEqual([
      'const reply = await client.chat.completions.create({',
      "  model: 'gpt-5',",
      "  messages: [{ role: 'user', content: 'Say hello.' }],",
      '})',
    ])
    expect(snippet('curl', hard)).toMatch(/^curl -N /)
    expect(snippet('JavaScript', hard)).toContain('for await (const chunk of stream)')
    expect(snippet('Python', hard)).toContain('for chunk in stream:')
  })

  it('Python: uses its own keywords, and passes parameters unknown to its client as an extension', () => {
    const lines = snippet('Python', hard).split('\n')
    expect(lines).toContain('    stream=True,')
    expect(lines).toContain('    none=None,')
    expect(lines).toContain('    extra_body={"thinking": {"type": "enabled", "budget_tokens": 1024}},')
  })
})
