import type { ChatDialect, ReasoningProof } from './parts.ts'

/**
 * How a proof of one dialect travels through another: clients give signatures back as they got them, so a foreign one is
 * wrapped into a text that names its dialect. `sluice.1.<dialect>.<flags>.<item>.<value>`; flags: `r` redacted, `-` none.
 */
const MARK = 'sluice.1.'
const DIALECTS: ReadonlySet<string> = new Set<ChatDialect>([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
  'cohere',
])

/** The signature that a client of `dialect` is given for a proof. */
export function sealProof(proof: ReasoningProof, dialect: ChatDialect): string {
  if (proof.dialect === dialect && !proof.value.startsWith(MARK)) return proof.value
  const item = encodeURIComponent((proof.item ?? '').toWellFormed()).replaceAll('.', '%2E')
  return `${MARK}${proof.dialect}.${proof.redacted === true ? 'r' : '-'}.${item}.${proof.value}`
}

/** The proof behind a signature that a client of `dialect` gave back. */
export function openProof(signature: string, dialect: ChatDialect): ReasoningProof {
  const found = signature.startsWith(MARK)
    ? /^([a-z-]+)\.([r-])\.([^.]*)\.(.*)$/s.exec(signature.slice(MARK.length))
    : null
  const [, origin = '', flag, item = '', value = ''] = found ?? []
  if (found === null || !DIALECTS.has(origin)) return { dialect, value: signature }
  return {
    dialect: origin as ChatDialect,
    value,
    ...(flag === 'r' ? { redacted: true } : {}),
    ...(item === '' ? {} : { item: decode(item) }),
  }
}

/** What a body holds that carries a foreign proof; such a body cannot be passed on untouched. */
export const FOREIGN_PROOF = `"${MARK}`

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
