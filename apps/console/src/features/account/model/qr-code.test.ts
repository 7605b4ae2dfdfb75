import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { qrCode, qrPath } from './qr-code.ts'

/** SLUICE in version 1, level M, mask 2, as another implementation draws it. */
const SLUICE = `
#######.......#######
#.....#...##..#.....#
#.###.#.###...#.###.#
#.###.#.##..#.#.###.#
#.###.#.##.##.#.###.#
#.....#.##..#.#.....#
#######.#.#.#.#######
........#.###........
#.#####.....#.#####..
.#.......#..#..#.#...
.######.#.##.#..#.##.
..#....#.#.....######
#.##..####.#.#..###..
........########.###.
#######..##.#.##.###.
#.....#.#.#####..##.#
#.###.#.##..#.....##.
#.###.#.#.#.#..#.....
#.###.#.#..#.#...##..
#.....#...#.....###..
#######.#..#.#.#..##.
`.trim()

const drawn = (text: string): string => {
  const { size, squares } = qrCode(text) ?? { size: 0, squares: new Uint8Array() }
  const row = (y: number) => Array.from(squares.subarray(y * size, (y + 1) * size), (dark) => (dark === 1 ? '#' : '.'))
  return Array.from({ length: size }, (_, y) => row(y).join('')).join('\n')
}
/** Start of the SHA-256 of the squares, a byte each. */
const digest = (text: string): string =>
  createHash('sha256')
    .update(qrCode(text)?.squares ?? '')
    .digest('hex')
    .slice(0, 16)

describe('QR code', () => {
  it('is drawn as another implementation draws it', () => {
    expect(drawn('SLUICE')).toBe(SLUICE)
  })

  it.each([
    ['several blocks and the number of its version', 130, '501dad71471be203'],
    ['the longest text', 666, '8916b477db5c6d48'],
  ])('with %s is drawn as another implementation draws it', (_what, length, squares) => {
    expect(digest('x'.repeat(length))).toBe(squares)
  })

  it('grows with its text, in bytes, and ends at 666', () => {
    const sizeOf = (text: string) => qrCode(text)?.size
    expect(sizeOf('x'.repeat(14))).toBe(21)
    expect(sizeOf('x'.repeat(15))).toBe(25)
    expect(sizeOf('密'.repeat(5))).toBe(25)
    expect(sizeOf('x'.repeat(180))).toBe(53)
    expect(sizeOf('x'.repeat(181))).toBe(57)
    expect(sizeOf('x'.repeat(666))).toBe(97)
    expect(sizeOf('x'.repeat(667))).toBeUndefined()
  })

  it('becomes one bar per run of dark squares', () => {
    expect(qrPath({ size: 3, squares: Uint8Array.of(1, 1, 0, 0, 0, 0, 1, 0, 1) })).toBe(
      'M0 0h2v1h-2zM0 2h1v1h-1zM2 2h1v1h-1z',
    )
  })
})
