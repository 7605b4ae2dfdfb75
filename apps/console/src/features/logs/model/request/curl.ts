interface KnownRequest {
  /** Scheme, host and port of the gateway, without a trailing slash. */
  readonly origin: string
  readonly method: string
  /** Path, perhaps with a query. */
  readonly url: string
  readonly model: string
  readonly stream: boolean
}

/** A placeholder that the shell fills in, so that no one pastes a key into a ticket. */
const KEY = '"Authorization: Bearer $API_KEY"'
/** The gateway does not store messages. */
const PLACEHOLDER = '…'

/** What the log knows of a request, for a POSIX shell. Every value is quoted, so that no model name can run anything. */
export function curlOf({ origin, method, url, model, stream }: KnownRequest): string {
  const lines = [`curl ${quoted(origin + url)}`, `  -H ${KEY}`]
  if (method !== 'GET') {
    if (method !== 'POST') lines.push(`  -X ${quoted(method)}`)
    lines.push(`  -H 'Content-Type: application/json'`)
    lines.push(`  -d ${quoted(JSON.stringify(bodyOf(url, model, stream)))}`)
  }
  return lines.join(' \\\n')
}

function bodyOf(url: string, model: string, stream: boolean): Readonly<Record<string, unknown>> {
  const path = url.split('?')[0] ?? ''
  // Google's paths contain both the model and whether the answer streams.
  if (/:(stream)?generatecontent$/i.test(path)) return { contents: [{ role: 'user', parts: [{ text: PLACEHOLDER }] }] }
  const asked = { model, ...(stream && { stream: true }) }
  if (path.endsWith('/messages')) {
    return { ...asked, max_tokens: 1_024, messages: [{ role: 'user', content: PLACEHOLDER }] }
  }
  if (path.endsWith('/chat/completions')) return { ...asked, messages: [{ role: 'user', content: PLACEHOLDER }] }
  if (/\/(embeddings|responses|moderations|speech)$/.test(path)) return { ...asked, input: PLACEHOLDER }
  return { ...asked, prompt: PLACEHOLDER }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
