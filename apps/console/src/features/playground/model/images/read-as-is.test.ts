import { describe, expect, it } from 'vitest'
import { signatureOf } from './read-as-is.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('type of a picture by its first bytes', () => {
  it.each([
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['\u0089PNG\r\n\u001a\n', 'image/png'],
    ['GIF89a', 'image/gif'],
    ['RIFF\u0000\u0000\u0000\u0000WEBP', 'image/webp'],
    ['BM\u0000\u0000', undefined],
    ['<svg xmlns=', undefined],
    ['RIFF\u0000\u0000\u0000\u0000WAVE', undefined],
    ['', undefined],
  ])('%j: %s', (head, type) => {
    expect(signatureOf(bytes(head))).toBe(type)
  })
})
