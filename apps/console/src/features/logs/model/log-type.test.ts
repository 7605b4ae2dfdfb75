import { describe, expect, it } from 'vitest'
import { isRequest, logTypeName } from './log-type.ts'

describe('log types', () => {
  it.each([
    [1, 'topup', false],
    [2, 'consume', true],
    [3, 'management', false],
    [4, 'system', false],
    [5, 'test', true],
    [0, undefined, false],
    [6, undefined, false],
  ])('%d is %s', (type, name, request) => {
    expect(logTypeName(type)).toBe(name)
    expect(isRequest(type)).toBe(request)
  })
})
