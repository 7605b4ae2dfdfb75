import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

export function png(name: string, width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits each of red, green and blue.
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, Buffer.from([40, 120, 160]))])
  const pixels = deflateSync(Buffer.alloc(row.length * height, row))
  const buffer = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { name, mimeType: 'image/png', buffer }
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

type FileGiven = ReturnType<typeof png>

/** Dispatches the event of a paste or a drop. */
export async function hand(page: Page, how: 'paste' | 'drop', files: readonly FileGiven[], text = ''): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  await page.evaluate(
    ({ how: type, given: all, text: plain }) => {
      const data = new DataTransfer()
      for (const { name, mimeType, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        data.items.add(new File([bytes], name, { type: mimeType }))
      }
      if (plain !== '') data.setData('text/plain', plain)
      const target = document.activeElement ?? document.body
      if (type === 'paste') {
        target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
        return
      }
      for (const step of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(step, { dataTransfer: data, bubbles: true, cancelable: true }))
      }
    },
    { how, given, text },
  )
}

export async function sizeOf(page: Page, url: string): Promise<readonly [number, number]> {
  return await page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode()
    return [image.naturalWidth, image.naturalHeight] as const
  }, url)
}
