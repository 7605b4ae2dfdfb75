import { isUtf8 } from 'node:buffer'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { FileFault } from './record-reader.ts'

const PIECE_BYTES = 256 * 1024
const LINE_FEED = 0x0a

/** The text of a file in pieces of 256 KB, without the byte order mark; throws `FileFault` where it is not UTF-8. */
export interface TextPieces {
  /** Undefined at the end. */
  read(): string | undefined
  close(): void
}

export function openTextPieces(path: string): TextPieces {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const piece = Buffer.alloc(PIECE_BYTES)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return {
    read: () => {
      const bytes = readSync(file, piece, 0, PIECE_BYTES, null)
      try {
        const text = decoder.decode(piece.subarray(0, bytes), { stream: bytes > 0 })
        return bytes === 0 ? undefined : text
      } catch {
        throw new FileFault(firstInvalidLine(file), 'the text is not UTF-8')
      }
    },
    close: () => closeSync(file),
  }
}

/** Reads the file again from the start; only a file that is refused anyway pays for this. */
function firstInvalidLine(file: number): number {
  const piece = Buffer.alloc(PIECE_BYTES)
  let line = 1
  let open: Buffer[] = []
  for (let position = 0; ;) {
    const bytes = readSync(file, piece, 0, PIECE_BYTES, position)
    if (bytes === 0) return line
    position += bytes
    let from = 0
    for (let at = piece.indexOf(LINE_FEED); at !== -1 && at < bytes; at = piece.indexOf(LINE_FEED, from)) {
      if (!isUtf8(Buffer.concat([...open, piece.subarray(from, at)]))) return line
      open = []
      line += 1
      from = at + 1
    }
    open.push(Buffer.from(piece.subarray(from, bytes)))
  }
}
