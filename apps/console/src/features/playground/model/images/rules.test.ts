import { describe, expect, it } from 'vitest'
import { type Candidate, IMAGE_EXTENSIONS, MOST_IMAGE_BYTES, MOST_IMAGES, sortFiles } from './rules.ts'

const file = (name: string, type = 'image/png', size = 1_000): Candidate => ({ name, type, size })
const kindOf = (candidate: Candidate) =>
  Object.entries(sortFiles([candidate], MOST_IMAGES)).find(([, files]) => files.length > 0)?.[0]

describe('what may be attached', () => {
  it('takes images with one of seven extensions', { tags: 'C5.4' }, () => {
    expect(IMAGE_EXTENSIONS.join(' ')).toBe('.jpg .jpeg .png .gif .webp .bmp .svg')
    expect(IMAGE_EXTENSIONS.map((ending) => kindOf(file(`a${ending}`)))).toEqual(Array(7).fill('taken'))
    expect(kindOf(file('photo.holiday.JPG', 'image/jpeg'))).toBe('taken')
  })

  it.each([
    file('notes.txt', 'text/plain'),
    file('notes.png', 'text/plain'),
    file('scan.tiff', 'image/tiff'),
    file('png', 'image/png'),
    file('a.png.exe', 'application/x-msdownload'),
    file('empty', ''),
  ])('refuses %o for its type', { tags: 'C5.3' }, (candidate) => {
    expect(kindOf(candidate)).toBe('wrongType')
  })

  it('accepts 5 MB each and not a byte more', { tags: ['C5.4', 'C9.10'] }, () => {
    expect(MOST_IMAGE_BYTES).toBe(5 * 1024 * 1024)
    expect(kindOf(file('a.png', 'image/png', MOST_IMAGE_BYTES))).toBe('taken')
    expect(kindOf(file('a.png', 'image/png', MOST_IMAGE_BYTES + 1))).toBe('tooLarge')
  })

  it('accepts five, in the order offered; refused files do not count', { tags: ['C5.4', 'C9.10'] }, () => {
    const images = ['1', '2', '3', '4', '5', '6', '7'].map((name) => file(`${name}.png`))
    const sorted = sortFiles([file('a.txt', 'text/plain'), ...images], MOST_IMAGES)
    expect(sorted.taken.map(({ name }) => name)).toEqual(['1.png', '2.png', '3.png', '4.png', '5.png'])
    expect(sorted.tooMany.map(({ name }) => name)).toEqual(['6.png', '7.png'])
    expect(sortFiles(images, 0).taken).toEqual([])
  })
})
