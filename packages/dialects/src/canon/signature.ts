import { base64ToText, textToBase64 } from './media-type.ts'
import type { ChatDialect, ReasoningSignature } from './parts.ts'

/**
 * Wraps a signature of another dialect in a text that names its dialect, because clients return signatures unchanged.
 * `sluice.1.<dialect>.<flags>.<item>.<value>`; flags: `r` redacted, `-` none. Gemini clients read signatures as base64, so they get
 * the base64 of that text.
 */
const MARK = 'sluice.1.'
/** The mark's nine bytes are whole groups of base64, so every wrapped signature begins with their encoding. */
const MARK_IN_BASE64 = textToBase64(MARK)
const DIALECTS: ReadonlySet<string> = new Set<ChatDialect>([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
  'cohere',
])

/** `dialect` is the client's. */
export function wrapSignature(signature: ReasoningSignature, dialect: ChatDialect): string {
  if (signature.dialect === dialect && !signature.value.startsWith(MARK)) return signature.value
  const item = encodeURIComponent((signature.item ?? '').toWellFormed()).replaceAll('.', '%2E')
  const wrapped = `${MARK}${signature.dialect}.${signature.redacted === true ? 'r' : '-'}.${item}.${signature.value}`
  return dialect === 'gemini' ? textToBase64(wrapped) : wrapped
}

/** The signature in a text that a client of `dialect` sent back. */
export function unwrapSignature(signature: string, dialect: ChatDialect): ReasoningSignature {
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

/** Google's clients decode a signature and encode it again, some in the URL-safe alphabet and without padding. */
function unpacked(signature: string): string {
  if (!signature.startsWith(MARK_IN_BASE64)) return signature
  return base64ToText(signature.replaceAll('-', '+').replaceAll('_', '/')) ?? signature
}

/** Whether a client's body holds a foreign signature, which prevents passing it on untouched. */
export function holdsForeignSignature(
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
