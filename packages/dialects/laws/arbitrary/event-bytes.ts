import type { Frame } from '../../src/canon/codec.ts'

/** Cuts bytes at arbitrary positions, even inside characters and line ends. */
export function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end))
}

export function sse({ name, data }: Frame): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`)
  return `${name === '' ? '' : `event: ${name}\n`}${lines.join('')}\n`
}
