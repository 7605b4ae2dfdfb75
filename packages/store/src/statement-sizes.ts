/**
 * A connection keeps the plans of its latest statements, and a statement over many rows has a different plan for each number of
 * rows: hundreds of large plans would take hundreds of megabytes. So statements over lists come in only a few sizes.
 */
const SIZES = [500, 50, 5, 1] as const

/** A list split into parts of a few sizes, for statements that insert rows. */
export function partsOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = []
  let at = 0
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) parts.push(rows.slice(at, at + size))
  }
  return parts
}

/** The distinct values split into parts of a few sizes, for look-ups; the last part is padded with a repeated value. */
export function lookUpParts<T>(values: readonly T[]): readonly (readonly T[])[] {
  const distinct = [...new Set(values)]
  const parts: (readonly T[])[] = []
  for (let at = 0; at < distinct.length; at += SIZES[0]) {
    const part = distinct.slice(at, at + SIZES[0])
    const size = SIZES.findLast((each) => each >= part.length) ?? part.length
    const [first] = part
    parts.push(first === undefined ? part : [...part, ...Array<T>(size - part.length).fill(first)])
  }
  return parts
}

export async function lookUp<T, Row>(
  values: readonly T[],
  find: (part: readonly T[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const part of lookUpParts(values)) rows.push(...(await find(part)))
  return rows
}
