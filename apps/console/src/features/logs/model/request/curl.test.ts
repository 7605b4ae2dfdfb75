import { describe, expect, it } from 'vitest'
import { curlOf } from './curl.ts'

const chat = {
  origin: 'https://gateway.example',
  method: 'POST',
  url: '/v1/chat/completions',
  model: 'gpt-5',
  stream: true,
}
const bodyOf = (url: string): unknown => {
  const text = curlOf({ ...chat, url })
  return JSON.parse(text.slice(text.indexOf("-d '") + 4, -1))
}

describe('a request as curl', () => {
  it('says what is known and leaves out the key', () => {
    expect(curlOf(chat)).toBe(
      [
        `curl 'https://gateway.example/v1/chat/completions' \\`,
        `  -H "Authorization: Bearer $API_KEY" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"…"}]}'`,
      ].join('\n'),
    )
  })

  it('has the body that its path takes', () => {
    expect(bodyOf('/v1/messages')).toMatchObject({ max_tokens: 1_024, stream: true })
    expect(bodyOf('/v1/embeddings')).toMatchObject({ model: 'gpt-5', input: '…' })
    expect(bodyOf('/v1/images/generations')).toMatchObject({ prompt: '…' })
    expect(bodyOf('/v1beta/models/gemini:streamGenerateContent?alt=sse')).toEqual({
      contents: [{ role: 'user', parts: [{ text: '…' }] }],
    })
    expect(curlOf({ ...chat, method: 'GET', url: '/v1/models' })).toBe(
      `curl 'https://gateway.example/v1/models' \\\n  -H "Authorization: Bearer $API_KEY"`,
    )
  })

  it('executes nothing that a name might contain', () => {
    const text = curlOf({ ...chat, model: `a'; rm -rf ~; '$(id)` })
    expect(text).toContain(String.raw`"model":"a'\''; rm -rf ~; '\''$(id)"`)
    expect(curlOf({ ...chat, url: `/v1/x'$(id)` })).toContain(String.raw`'https://gateway.example/v1/x'\''$(id)'`)
  })
})
