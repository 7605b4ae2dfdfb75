/** Squares of a QR code, row by row: 1 dark, 0 light. */
export interface QrGrid {
  /** Squares per side. */
  readonly size: number
  readonly squares: Uint8Array
}

/** The same with the squares that carry no data marked. */
interface Frame extends QrGrid {
  readonly fixed: Uint8Array
}

/** Level M (15%): two zero bits. */
const LEVEL_BITS = 0b00
/** Which squares each mask turns round, by row and column (ISO/IEC 18004, table 10). */
const MASKS: ReadonlyArray<(y: number, x: number) => boolean> = [
  (y, x) => (y + x) % 2 === 0,
  (y) => y % 2 === 0,
  (_, x) => x % 3 === 0,
  (y, x) => (y + x) % 3 === 0,
  (y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
  (y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
  (y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
]

/** The codewords drawn as a grid of a version, under the mask that disturbs readers least. */
export function drawCodewords(version: number, codewords: readonly number[]): QrGrid {
  const frame = emptyFrame(version)
  placeBits(frame, codewords)
  const masked = MASKS.map((isTurned, mask) => finished(frame, isTurned, mask))
  return masked.reduce((best, grid) => (disturbance(grid) < disturbance(best) ? grid : best))
}

/** Everything that is the same for all contents of a version. */
function emptyFrame(version: number): Frame {
  const size = version * 4 + 17
  const frame: Frame = { size, squares: new Uint8Array(size * size), fixed: new Uint8Array(size * size) }
  for (let at = 0; at < size; at++) {
    fix(frame, 6, at, at % 2 === 0)
    fix(frame, at, 6, at % 2 === 0)
  }
  const places = alignmentPlaces(version)
  // The three corners have marks of their own.
  const isCorner = (y: number, x: number) => (y === 6 && (x === 6 || x === size - 7)) || (y === size - 7 && x === 6)
  for (const y of places) for (const x of places) if (!isCorner(y, x)) rings(frame, y, x, 2)
  for (const [y, x] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    rings(frame, y, x, 4)
  drawFormat(frame, 0)
  if (version >= 7) drawVersion(frame, version)
  return frame
}

function fix({ size, squares, fixed }: Frame, y: number, x: number, dark: boolean): void {
  if (y < 0 || x < 0 || y >= size || x >= size) return
  squares[y * size + x] = Number(dark)
  fixed[y * size + x] = 1
}

/** Squares within squares around a centre: the marks in the corners (radius 4, with their margin) and between (radius 2). */
function rings(frame: Frame, y: number, x: number, radius: number): void {
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const distance = Math.max(Math.abs(dy), Math.abs(dx))
      fix(frame, y + dy, x + dx, radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1)
    }
  }
}

/** Rows, and columns, of the marks between the corners. */
function alignmentPlaces(version: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const last = version * 4 + 10
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))]
}

/** Level and mask with their check bits, twice. */
function drawFormat(frame: Frame, mask: number): void {
  const { size } = frame
  const bits = checked((LEVEL_BITS << 3) | mask, 10, 0x5_37) ^ 0x54_12
  const isDark = (at: number) => ((bits >>> at) & 1) === 1
  for (let at = 0; at < 15; at++) {
    const along = at < 6 ? at : at < 8 ? at + 1 : at - 15 + size
    const across = at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at
    fix(frame, along, 8, isDark(at))
    fix(frame, 8, across, isDark(at))
  }
  fix(frame, size - 8, 8, true)
}

/** The version with its check bits, twice; from version 7 on. */
function drawVersion(frame: Frame, version: number): void {
  const bits = checked(version, 12, 0x1f_25)
  for (let at = 0; at < 18; at++) {
    const [near, far] = [Math.floor(at / 3), frame.size - 11 + (at % 3)]
    fix(frame, near, far, ((bits >>> at) & 1) === 1)
    fix(frame, far, near, ((bits >>> at) & 1) === 1)
  }
}

/** A value followed by the remainder of its division, which lets readers notice errors. */
function checked(value: number, length: number, divisor: number): number {
  let remainder = value
  for (let step = 0; step < length; step++) remainder = (remainder << 1) ^ ((remainder >>> (length - 1)) * divisor)
  return (value << length) | remainder
}

/** Two columns at a time from the right, up and down in turns, around all that is fixed. */
function placeBits({ size, squares, fixed }: Frame, codewords: readonly number[]): void {
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const at = (isUpward ? size - 1 - step : step) * size + x
        if (fixed[at] === 1) continue
        squares[at] = ((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1
        bit++
      }
    }
  }
}

function finished(frame: Frame, isTurned: (y: number, x: number) => boolean, mask: number): QrGrid {
  const { size, fixed } = frame
  const squares = frame.squares.map((dark, at) =>
    fixed[at] === 0 && isTurned(Math.floor(at / size), at % size) ? 1 - dark : dark,
  )
  drawFormat({ size, squares, fixed }, mask)
  return { size, squares }
}

/** A corner mark with light beside it, where none should be seen. */
const LOOKS_LIKE_CORNER = /(?=10111010000|00001011101)/g

/** How hard a grid is to read (ISO/IEC 18004, 7.8.3.1): long runs, blocks, what looks like a corner mark, imbalance. */
function disturbance({ size, squares }: QrGrid): number {
  const isDark = (y: number, x: number) => squares[y * size + x] ?? 0
  let points = 0
  for (let line = 0; line < size; line++) {
    const texts = [
      Array.from({ length: size }, (_, at) => isDark(line, at)).join(''),
      Array.from({ length: size }, (_, at) => isDark(at, line)).join(''),
    ]
    for (const text of texts) {
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2
      points += 40 * [...text.matchAll(LOOKS_LIKE_CORNER)].length
    }
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const sum = isDark(y, x) + isDark(y - 1, x) + isDark(y, x - 1) + isDark(y - 1, x - 1)
      if (sum % 4 === 0) points += 3
    }
  }
  const dark = squares.reduce((sum, square) => sum + square, 0)
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10))
}
