import { drawCodewords, type QrGrid } from './qr-grid.ts'
import { errorCorrection } from './reed-solomon.ts'

/** Codewords for error correction in each block, by version from 1, level M (ISO/IEC 18004, table 9). */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
/** Blocks by version from 1, level M. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

/** How the codewords of a version are divided. */
interface Layout {
  readonly version: number
  /** Codewords of data. */
  readonly room: number
  readonly blocks: number
  /** Codewords for error correction per block. */
  readonly correction: number
}

/**
 * The QR code of a text (ISO/IEC 18004, byte mode, level M): readers may miss 15% of it. Undefined for texts beyond 666 bytes,
 * version 20, which no telephone should have to read from a screen.
 */
export function qrCode(text: string): QrGrid | undefined {
  const bytes = new TextEncoder().encode(text)
  const layout = smallestLayout(bytes.length)
  return layout === undefined
    ? undefined
    : drawCodewords(layout.version, interleaved(dataCodewords(bytes, layout), layout))
}

/** The dark squares as the path of an SVG whose unit is one square: one bar per run. */
export function qrPath({ size, squares }: QrGrid): string {
  const rows = Array.from({ length: size }, (_, y) => squares.subarray(y * size, (y + 1) * size).join(''))
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('')
}

function smallestLayout(length: number): Layout | undefined {
  return CORRECTION.map((correction, at) => layoutOf(at + 1, correction, BLOCKS[at] ?? 1)).find(
    ({ room, version }) => length + (version < 10 ? 2 : 3) <= room,
  )
}

function layoutOf(version: number, correction: number, blocks: number): Layout {
  return { version, blocks, correction, room: allCodewords(version) - correction * blocks }
}

/** All codewords that fit beside what is fixed in a grid. */
function allCodewords(version: number): number {
  const marks = version === 1 ? 0 : Math.floor(version / 7) + 2
  const squares = (16 * version + 128) * version + 64
  const alignment = version === 1 ? 0 : (25 * marks - 10) * marks - 55
  return Math.floor((squares - alignment - (version >= 7 ? 36 : 0)) / 8)
}

/** Mode, length, the bytes, the end, and what fills the room that is left. */
function dataCodewords(bytes: Uint8Array, { version, room }: Layout): readonly number[] {
  const count = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0')
  const bits = `0100${count}${[...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')}0000`
  const codewords = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const filling = Array.from({ length: room - codewords.length }, (_, at) => (at % 2 === 0 ? 0xec : 0x11))
  return [...codewords, ...filling]
}

/** The blocks' codewords in turns, the shorter blocks being first, then those for their error correction. */
function interleaved(data: readonly number[], { blocks, correction }: Layout): readonly number[] {
  const short = Math.floor(data.length / blocks)
  const longBlocks = data.length % blocks
  const starts = Array.from({ length: blocks + 1 }, (_, at) => at * short + Math.max(0, at - (blocks - longBlocks)))
  const parts = Array.from({ length: blocks }, (_, at) => data.slice(starts[at], starts[at + 1]))
  return [...inTurns(parts), ...inTurns(parts.map((part) => errorCorrection(part, correction)))]
}

function inTurns(parts: ReadonlyArray<readonly number[]>): readonly number[] {
  const longest = Math.max(...parts.map((part) => part.length))
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat()
}
