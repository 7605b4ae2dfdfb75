/** Leads a three-byte sequence whose second byte may be any continuation: nearly all CJK text. */
export function isCommonTriple(lead: number): boolean {
  return lead > 0xe0 && lead < 0xf0 && lead !== 0xed
}

/** Index after the multi-byte UTF-8 sequence at `at` (RFC 3629: no overlong forms, no surrogates), or `~at`. */
export function afterSequence(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  const second = bytes[at + 1] ?? 0
  if (lead < 0xe0) return lead >= 0xc2 && isContinuation(second) ? at + 2 : ~at
  const third = bytes[at + 2] ?? 0
  if (lead < 0xf0) {
    const low = lead === 0xe0 ? 0xa0 : 0x80
    const high = lead === 0xed ? 0x9f : 0xbf
    return second >= low && second <= high && isContinuation(third) ? at + 3 : ~at
  }
  const low = lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xf4 ? 0x8f : 0xbf
  return lead <= 0xf4 && second >= low && second <= high && isContinuation(third) && isContinuation(bytes[at + 3] ?? 0)
    ? at + 4
    : ~at
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
