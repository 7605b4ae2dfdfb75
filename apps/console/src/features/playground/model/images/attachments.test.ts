import { describe, expect, it } from 'vitest'
import {
  type AttachmentNotice,
  createAttachments,
  type Candidate,
  IMAGE_EXTENSIONS,
  MOST_IMAGE_BYTES,
  MOST_IMAGES,
  sortFiles,
} from './attachments.ts'
import type { Processed } from './process-image.ts'

const picture = (name: string) => new File(['x'], name, { type: 'image/png' })
const SMALL = {
  kind: 'reduced',
  base64: 'data:image/jpeg;base64,AA==',
  thumbnail: 'data:image/jpeg;base64,BB==',
} as const

function open(initial: readonly string[] = []) {
  const inWork = new Map<string, (result: Processed) => void>()
  const held = new Set<string>()
  const notices: AttachmentNotice[] = []
  let lastId = 0
  const attachments = createAttachments(
    {
      process: (file, signal) =>
        new Promise((resolve, reject) => {
          inWork.set(file.name, resolve)
          signal.addEventListener('abort', () => {
            inWork.delete(file.name)
            reject(signal.reason)
          })
        }),
      previewOf(file) {
        held.add(`blob:${file.name}`)
        return `blob:${file.name}`
      },
      release: (preview) => void held.delete(preview),
      newId: () => String((lastId += 1)),
      notify: (notice) => notices.push(notice),
    },
    initial,
  )
  /** Lets everything happen that needs no further action. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    attachments,
    held,
    notices,
    working: async () => {
      await settle()
      return [...inWork.keys()]
    },
    async finish(name: string, result: Processed) {
      await settle()
      inWork.get(name)?.(result)
      inWork.delete(name)
      await settle()
    },
  }
}

describe('attachments', () => {
  it('shows a picture at once and keeps what will be sent; the file is released', { tags: 'C3.31' }, async () => {
    const { attachments, finish, held } = open()
    const file = picture('a.png')
    attachments.add([file])
    const waiting = { id: '1', file, preview: 'blob:a.png', base64: '', thumbnail: '', compressed: false }
    expect(attachments.get()).toEqual([waiting])
    await finish('a.png', SMALL)
    const { base64, thumbnail } = SMALL
    expect(attachments.get()).toEqual([{ id: '1', file, preview: base64, base64, thumbnail, compressed: true }])
    expect(held.size).toBe(0)
  })

  it('processes one picture at a time, in order', async () => {
    const { attachments, finish, working } = open()
    attachments.add([picture('a.png'), picture('b.png')])
    attachments.add([picture('c.png')])
    expect(await working()).toEqual(['a.png'])
    await finish('a.png', SMALL)
    expect(await working()).toEqual(['b.png'])
    await finish('b.png', SMALL)
    expect(await working()).toEqual(['c.png'])
  })

  it('cancels the work on what is removed, and continues with the next', async () => {
    const { attachments, held, working } = open()
    attachments.add([picture('a.png'), picture('b.png'), picture('c.png')])
    expect(await working()).toEqual(['a.png'])
    attachments.remove('2')
    attachments.remove('1')
    expect(await working()).toEqual(['c.png'])
    expect([...held]).toEqual(['blob:c.png'])
  })

  it('reports what is sent unchanged and what cannot be sent', async () => {
    const { attachments, finish, notices } = open()
    const [a, b] = [picture('a.png'), picture('b.png')]
    attachments.add([a, b])
    await finish('a.png', { kind: 'as-is', base64: 'data:image/png;base64,CC==' })
    await finish('b.png', { kind: 'unreadable' })
    expect(notices).toEqual([
      { kind: 'as-is', files: [a] },
      { kind: 'unreadable', files: [b] },
    ])
    expect(attachments.get().map(({ base64, compressed }) => [base64, compressed])).toEqual([
      ['data:image/png;base64,CC==', false],
    ])
  })

  it('reports what breaks the rules, counting existing attachments', () => {
    const { attachments, notices } = open(['data:image/png;base64,AA==', 'data:image/png;base64,BB=='])
    const [sixth, text] = [picture('6.png'), new File(['x'], 'a.txt', { type: 'text/plain' })]
    attachments.add([picture('3.png'), picture('4.png'), picture('5.png'), sixth, text])
    expect(attachments.get()).toHaveLength(5)
    expect(notices).toEqual([
      { kind: 'wrongType', files: [text] },
      { kind: 'tooMany', files: [sixth] },
    ])
  })

  it('releases everything when cancelled; pictures that were there before stay as they are', async () => {
    const { attachments, held, working } = open(['data:image/png;base64,AA=='])
    attachments.add([picture('a.png'), picture('b.png')])
    expect(await working()).toEqual(['a.png'])
    attachments.cancel()
    expect(await working()).toEqual([])
    expect(held.size).toBe(0)
    expect(attachments.get().map(({ base64 }) => base64)).toEqual(['data:image/png;base64,AA=='])
    attachments.reset([])
    expect(attachments.get()).toEqual([])
  })
})

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
