import { base64ToText, textToBase64 } from './base64-text.ts'
import type { ChatDialect, ReasoningProof } from './parts.ts'

/**
 * How a proof of one dialect travels through another: clients give signatures back as they got them, so a foreign one is
 * wrapped into a text that names its dialect. `sluice.1.<dialect>.<flags>.<item>.<value>`; flags: `r` redacted, `-` none.
 * Clients of Gemini read signatures as base64, so theirs is the base64 of that text.
 */
const MARK = 'sluice.1.'
/** The mark's nine bytes are whole groups of base64, so every wrapped signature begins with theirs. */
const MARK_IN_BASE64 = textToBase64(MARK)
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
  const wrapped = `${MARK}${proof.dialect}.${proof.redacted === true ? 'r' : '-'}.${item}.${proof.value}`
  return dialect === 'gemini' ? textToBase64(wrapped) : wrapped
}

/** The proof behind a signature that a client of `dialect` gave back. */
export function openProof(signature: string, dialect: ChatDialect): ReasoningProof {
  const wrapped = dialect === 'gemini' ? unpacked(signature) : signature
  const found = wrapped.startsWith(MARK) ? /^([a-z-]+)\.([r-])\.([^.]*)\.(.*)$/s.exec(wrapped.slice(MARK.length)) : null
  const [, origin = '', flag, item = '', value = ''] = found ?? []
  if (found === null || !DIALECTS.has(origin)) return { dialect, value: signature }
  return {
    dialect: origin as ChatDialect,
    value,
    ...(flag === 'r' ? { redacted: true } : {}),
    ...(item === '' ? {} : { item: decode(item) }),
  }
}

/** Google's clients decode a signature and encode it again, some of them in the alphabet of URLs and without padding. */
function unpacked(signature: string): string {
  if (!signature.startsWith(MARK_IN_BASE64)) return signature
  return base64ToText(signature.replaceAll('-', '+').replaceAll('_', '/')) ?? signature
}

/** Whether a body of a client carries a foreign proof; it cannot be passed on untouched then. */
export function holdsForeignProof(
  body: { includes(text: string): boolean },
  dialect: ChatDialect | undefined,
): boolean {
  return body.includes(`"${MARK}`) || (dialect === 'gemini' && body.includes(`"${MARK_IN_BASE64}`))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
