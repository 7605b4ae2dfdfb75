import { expect, it } from 'vitest'
import { baseUrlOf } from './base-url.ts'

it.each([
  ['', 'http://localhost:3000', 'http://localhost:3000/v1'],
  ['https://ai.example/', 'http://localhost:3000', 'https://ai.example/v1'],
  ['  https://ai.example//  ', 'http://x', 'https://ai.example/v1'],
  ['https://ai.example/gateway', 'http://x', 'https://ai.example/gateway/v1'],
  ['http://localhost:3000', 'https://ai.example', 'https://ai.example/v1'],
  ['http://[::1]:3000', 'http://127.0.0.1:4000', 'http://127.0.0.1:4000/v1'],
  ['http://localhost:3000', 'https://ai.example/ai', 'https://ai.example/ai/v1'],
  ['no address', 'https://ai.example', 'https://ai.example/v1'],
])('base URL of server address %j in a console from %j is %j', (address, from, expected) => {
  expect(baseUrlOf(address, from)).toBe(expected)
})
