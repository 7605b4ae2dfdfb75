import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

/** Codings of bodies (RFC 9110, 8.4.1; RFC 7932; RFC 8878). */
export type ContentCoding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** In the form of `Accept-Encoding`. */
export const CONTENT_CODINGS = 'gzip, deflate, br, zstd'

/** Names may be in any case. `none` is not a coding; servers send it to keep proxies from compressing. */
const NAMES: ReadonlyMap<string, ContentCoding | 'none'> = new Map([
  ['', 'none'],
  ['identity', 'none'],
  ['none', 'none'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
])

/** The coding in a Content-Encoding header; undefined for anything that is not decoded here, including several codings. */
export function codingOf(label: string | undefined): ContentCoding | 'none' | undefined {
  return NAMES.get((label ?? '').trim().toLowerCase())
}

/** The coding recognised from the first bytes, where that is possible. */
export function codingBegun(bytes: Uint8Array): 'gzip' | 'zstd' | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? 'zstd' : undefined
}

/**
 * Decodes in pieces of at most 16 kB, whatever the input expands to. `first` are the first bytes of the body: `deflate` means
 * zlib's format, but is often sent without its header. If `isTolerant`, a truncated body is decoded as far as it goes.
 */
export function openDecoder(coding: ContentCoding, first: Uint8Array, isTolerant: boolean): Transform {
  const { constants } = zlib
  const options = isTolerant ? { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH } : {}
  const flush = isTolerant
    ? { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }
    : {}
  switch (coding) {
    case 'gzip':
      return zlib.createGunzip(options)
    case 'deflate':
      return hasZlibHead(first) ? zlib.createInflate(options) : zlib.createInflateRaw(options)
    case 'br':
      return zlib.createBrotliDecompress(flush)
    case 'zstd':
      return zlib.createZstdDecompress(isTolerant ? { finishFlush: constants.ZSTD_e_flush } : {})
  }
}

/** RFC 1950, 2.2: method 8, and the two bytes are a multiple of 31. */
function hasZlibHead([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
