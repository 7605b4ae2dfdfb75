/** The field of 256 elements that QR codes reckon in: x^8 + x^4 + x^3 + x^2 + 1 (ISO/IEC 18004, 7.5.2). */
const FIELD = 0x1_1d

function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * FIELD)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** Coefficients of (x - 1)(x - 2)(x - 4)…, without the leading 1, highest power first. */
function generator(degree: number): readonly number[] {
  const coefficients: number[] = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let factor = 0; factor < degree; factor++) {
    for (let at = 0; at < degree; at++) {
      coefficients[at] = times(coefficients[at] ?? 0, root) ^ (coefficients[at + 1] ?? 0)
    }
    root = times(root, 2)
  }
  return coefficients
}

/** The `length` codewords that let a reader correct errors in `data`; both are bytes. */
export function errorCorrection(data: readonly number[], length: number): readonly number[] {
  const divisor = generator(length)
  const remainder: number[] = Array.from({ length }, () => 0)
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0)
    remainder.push(0)
    for (const [at, coefficient] of divisor.entries()) {
      remainder[at] = (remainder[at] ?? 0) ^ times(coefficient, factor)
    }
  }
  return remainder
}
