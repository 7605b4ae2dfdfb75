import { expect, test } from 'vitest'
import { readCountTokens, readEmbedContent } from './named-models.ts'
import { readGeminiRequest } from './request.ts'

const contents = [{ parts: [{ text: 'Hi' }] }]

test.each([
  ['generateContent', readGeminiRequest, { contents }],
  ['countTokens', readCountTokens, { contents }],
  ['embedContent', readEmbedContent, { content: contents[0] }],
] as const)(
  '%s: fields that lead servers other than Google’s to other models are refused by their name',
  { tags: 'S42' },
  (_, read, body) => {
    const request = (more: object) => read(new TextEncoder().encode(JSON.stringify({ ...body, ...more })))
    for (const field of ['models', 'preset', 'fallbacks', 'providerOptions', 'compound_custom']) {
      expect(request({ [field]: ['dear'] })).toMatchObject({ code: 'invalid_body', field })
      expect(request({ [field]: null })).not.toHaveProperty('code')
    }
    expect(request({ provider_options: {} })).toMatchObject({ field: 'providerOptions' })
  },
)
