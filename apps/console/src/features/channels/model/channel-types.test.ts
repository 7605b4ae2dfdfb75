import { describe, expect, it } from 'vitest'
import { CHANNEL_TYPE_OPTIONS, channelTypeName } from './channel-types.ts'

describe('channel types', () => {
  it('are the codes 1 to 51, each with a name of its own [B3.6]', () => {
    const codes = CHANNEL_TYPE_OPTIONS.map(({ value }) => Number(value)).toSorted((a, b) => a - b)
    expect(codes).toEqual(Array.from({ length: 51 }, (_, index) => index + 1))
    expect(new Set(CHANNEL_TYPE_OPTIONS.map(({ label }) => label)).size).toBe(51)
  })

  it.each([
    [1, 'OpenAI'],
    [33, 'AWS'],
    [50, 'OpenAI Compatible'],
    [51, 'Gemini OpenAI format'],
    [99, '#99'],
  ])('%d is %s', (type, name) => {
    expect(channelTypeName(type)).toBe(name)
  })
})
