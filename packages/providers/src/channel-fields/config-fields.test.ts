import { expect, test } from 'vitest'
import { KINDS, kindOf } from '../kinds/all.ts'
import { configProblems, offersSocket } from './config-fields.ts'

const offers = (code: number, origin: string, config: Readonly<Record<string, string>> = {}) => {
  const kind = kindOf(code)
  return kind !== undefined && offersSocket({ kind, config }, origin)
}

test('a vendor offers its websocket at its own addresses only, unless an administrator says more', () => {
  expect(offers(1, 'https://api.openai.com')).toBe(true)
  expect(offers(45, 'https://api.x.ai')).toBe(true)
  expect(offers(1, 'https://api.x.ai')).toBe(false)
  expect(offers(1, 'http://api.openai.com')).toBe(false)
  expect(offers(1, 'https://proxy.example.com')).toBe(false)
  expect(offers(1, 'https://proxy.example.com', { websocket: 'on' })).toBe(true)
  expect(offers(1, 'https://api.openai.com', { websocket: 'off' })).toBe(false)
  expect(offers(50, 'https://llm.example.com')).toBe(false)
  expect(offers(50, 'https://llm.example.com', { websocket: 'on' })).toBe(true)
})

test('no other kind offers one by itself', () => {
  const offering = KINDS.filter((kind) => 'offersSocket' in kind).map(({ name }) => name)
  expect(offering).toEqual(['OpenAI', 'xAI'])
})

test('anything but on and off is refused by its name', () => {
  expect(configProblems(50, { websocket: 'on' })).toEqual([])
  expect(configProblems(50, { websocket: 'yes' })).toMatchObject([{ field: 'config.websocket' }])
  expect(configProblems(50, { websocket: true })).toMatchObject([{ field: 'config.websocket' }])
})
