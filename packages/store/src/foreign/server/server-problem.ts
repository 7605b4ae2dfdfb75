/** Codes of Node's sockets, its resolver and TLS, as sentences about a server. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections: is it running, and is the port right?'],
  ['ECONNRESET', 'closed the connection'],
  ['EPIPE', 'closed the connection'],
  ['ETIMEDOUT', 'does not answer'],
  ['EHOSTUNREACH', 'cannot be reached from here'],
  ['ENETUNREACH', 'cannot be reached from here'],
  ['ENOTFOUND', 'could not be found: its name is unknown'],
  ['EAI_AGAIN', 'could not be found: looking up its name failed'],
  ['ENOENT', 'has no socket of that name on this machine'],
  ['CERT_HAS_EXPIRED', 'has a TLS certificate that has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'has a self-signed TLS certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'has a TLS certificate from an unknown authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'has a TLS certificate from an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'has a TLS certificate from an unknown authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a TLS certificate for a different name'],
])
/** Messages that the drivers give without a code. */
const MESSAGES: readonly (readonly [says: RegExp, sentence: string])[] = [
  [/time(d )?-?out/i, 'does not answer'],
  [/^Connection (terminated|ended)|Connection lost|connection error|closed state/i, 'closed the connection'],
  [/does not support (SSL|secure)/i, 'does not offer TLS'],
  [/LOCAL INFILE/, 'asked for a file from this machine, which was refused'],
  [/authentication (using|plugin|method)/i, 'requires a kind of sign-in that is not supported'],
]
const MAX_REASON_CHARACTERS = 300
/** Shorter user names would also match parts of ordinary words. */
const MIN_HIDDEN_USER_CHARACTERS = 3

/**
 * The problem with a server, as the second half of a sentence about it. `ofEngine` are the engine's own codes; any other message is
 * quoted without secrets.
 */
export function serverProblem(
  error: unknown,
  ofEngine: ReadonlyMap<string, string>,
  secrets: readonly string[],
): string {
  const codes = errorsOf(error).map((each) => ('code' in each ? String(each.code) : ''))
  for (const code of codes) {
    const sentence = ofEngine.get(code) ?? SENTENCES.get(code)
    if (sentence !== undefined) return sentence
  }
  const message = errorsOf(error)[0]?.message ?? String(error)
  const known = MESSAGES.find(([says]) => says.test(message))
  if (known !== undefined) return known[1]
  return `failed: ${withoutSecrets(message, secrets).slice(0, MAX_REASON_CHARACTERS)}`
}

/** A host name with several addresses fails with the errors of all of them. */
function errorsOf(error: unknown): readonly Error[] {
  if (error instanceof AggregateError) return [error, ...error.errors.filter((each) => each instanceof Error)]
  return error instanceof Error ? [error] : []
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text.replaceAll(/\p{Cc}+/gu, ' ')
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '…')
  return clean
}

/** User and password of an address, both as written and decoded. */
export function secretsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return []
  const { username, password } = new URL(url)
  const parts = [password, username.length < MIN_HIDDEN_USER_CHARACTERS ? '' : username]
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part !== '')
}

/** Percent signs that do not begin a valid escape stay as they are. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
