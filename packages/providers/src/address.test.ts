import { describe, expect, test } from 'vitest'
import { upstreamAddress } from './address.ts'
import { type ChannelKind, kindOf } from './kinds.ts'

function kind(code: number): ChannelKind {
  const found = kindOf(code)
  if (found === undefined) throw new Error(`no kind ${code}`)
  return found
}
const CHAT = '/v1/chat/completions'
const chatUrl = (code: number, base: string): string => {
  const address = upstreamAddress(kind(code), base, CHAT)
  return 'problem' in address ? address.problem : address.origin + address.path
}

describe('either form of a base URL leads to the same call', () => {
  test.each([
    [1, '', 'https://api.openai.com/v1/chat/completions'],
    [1, '  https://api.openai.com/  ', 'https://api.openai.com/v1/chat/completions'],
    [50, 'https://x.example', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/v1', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/v1///', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/api/paas/v4', 'https://x.example/api/paas/v4/chat/completions'],
    [50, 'https://x.example/compatible-mode/v1', 'https://x.example/compatible-mode/v1/chat/completions'],
    [50, 'https://x.example/v1beta/openai/', 'https://x.example/v1beta/openai/chat/completions'],
    [50, 'https://x.example/openai', 'https://x.example/openai/v1/chat/completions'],
    [50, 'https://x.example/v1/chat/completions', 'https://x.example/v1/chat/completions'],
    [50, 'https://x.example/odd/chat/completions/', 'https://x.example/odd/chat/completions'],
    [50, 'https://x.example/v1?tenant=a', 'https://x.example/v1/chat/completions?tenant=a'],
    [50, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/chat/completions'],
    [50, 'https://x.example/vault', 'https://x.example/vault/v1/chat/completions'],
    [
      50,
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai',
      'https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions',
    ],
    [16, '', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [16, 'https://api.z.ai', 'https://api.z.ai/api/paas/v4/chat/completions'],
    [16, 'https://api.z.ai/api/coding/paas/v4', 'https://api.z.ai/api/coding/paas/v4/chat/completions'],
    [49, '', 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [51, '', 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
  ])('%i %j → %s', (code, base, url) => {
    expect(chatUrl(code, base)).toBe(url)
  })
})

test('another call than chat on a base that names the chat call', () => {
  expect(upstreamAddress(kind(50), 'https://x.example/v1/chat/completions', '/v1/models')).toStrictEqual({
    origin: 'https://x.example',
    path: '/v1/models',
  })
})

test.each([
  ['', 'Base URL is required for this channel type'],
  ['x.example', 'Base URL must be an http or https address'],
  ['file:///etc/passwd', 'Base URL must be an http or https address'],
  ['https://user:secret@x.example', 'Base URL must not carry a user name or password'],
])('%j is a problem', (base, problem) => {
  expect(upstreamAddress(kind(50), base, CHAT)).toStrictEqual({ problem })
})
