import { dataUrlOf } from './draw.ts'

/** Pictures that every provider accepts, by their first bytes. The file name does not count. */
const SIGNATURES = [
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const

/** Media type of a picture by its first 12 bytes; undefined for types that not every provider accepts. */
export function signatureOf(head: Uint8Array): string | undefined {
  return SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))?.type
}

/** The file as a `data:` address with the type that its bytes have; undefined for types that not every provider accepts. */
export async function readAsIs(file: Blob, signal: AbortSignal): Promise<string | undefined> {
  const type = signatureOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (type === undefined) return undefined
  const url = await dataUrlOf(file.slice(0, file.size, type))
  signal.throwIfAborted()
  return url
}
