import { expect, test } from 'vitest'
import { isInexpressible } from '../src/canon/codec.ts'
import { lossesText } from '../src/canon/losses.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { TARGET } from './request-laws.ts'
import { EMPTY_REQUEST } from './views.ts'

const CONVERSING = new Set(['openai-chat', 'openai-responses', 'anthropic-messages', 'bedrock-converse'])
const picture = { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'AAAA' } } as const

test.each(
  UPSTREAM_CODECS.filter(({ dialect }) => CONVERSING.has(dialect)).map((codec) => [codec.dialect, codec] as const),
)(
  '%s is shown pictures that another model drew as if the user showed them, after the results of its tools',
  (_, codec) => {
    const encoded = codec.encodeRequest(
      {
        ...EMPTY_REQUEST,
        tools: [{ name: 'f' }],
        turns: [
          { role: 'user', parts: [{ kind: 'text', text: 'Draw' }] },
          { role: 'assistant', parts: [picture, { kind: 'tool-call', id: 'c', name: 'f', args: '' }] },
          { role: 'tool', parts: [{ kind: 'tool-result', callId: 'c', parts: [{ kind: 'text', text: 'RESULT' }] }] },
        ],
        extra: { dialect: 'gemini', fields: {} },
      },
      TARGET,
    )
    if (isInexpressible(encoded)) throw new Error(encoded.rule)
    const { messages, input } = encoded.body
    const translated = (messages ?? input) as readonly { readonly role?: string }[]
    const withPicture = translated.find((message) => JSON.stringify(message).includes('AAAA'))
    expect(withPicture?.role).toBe('user')
    const text = JSON.stringify(translated)
    expect(text.indexOf('RESULT')).toBeLessThan(text.indexOf('AAAA'))
    expect(lossesText(encoded.losses)).toContain('messages[].content[image] changed')
  },
)
