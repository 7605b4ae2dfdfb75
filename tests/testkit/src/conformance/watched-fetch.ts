import { afterEach } from 'vitest'
import { faultsOfReply } from './reply-watch.ts'

/**
 * Set-up of the end-to-end tests: every successful reply that a gateway wrote itself is checked against its vendor's published
 * types. Such a reply has the request's id in its own id. A reply from a provider of the same dialect is passed on unchanged, valid
 * or not, but an error at its end also names the request. Embeddings and token counts have no id.
 */
const REQUEST_ID = 'x-oneapi-request-id'
const WITHOUT_ID = /embeddings$|count_tokens$/
const faults: string[] = []
const reading = new Set<Promise<void>>()
const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const reply = await plainFetch(input, init)
  if (reply.status !== 200 || !reply.headers.has(REQUEST_ID) || reply.body === null) return reply
  const id = reply.headers.get(REQUEST_ID) ?? ''
  const read = watch(new URL(reply.url).pathname, id, reply.clone()).finally(() => reading.delete(read))
  reading.add(read)
  return reply
}

/** A reply that its test does not read to the end is incomplete, and not checked. */
async function watch(path: string, id: string, reply: Response): Promise<void> {
  const body = await reply.text().catch(() => undefined)
  if (body === undefined) return
  const isOwn = new RegExp(`"(?:id|responseId)":\\s*"[\\w-]*${id}`).test(body)
  if (!isOwn && !WITHOUT_ID.test(path)) return
  const found = faultsOfReply(path, reply.headers.get('content-type') ?? '', body)
  faults.push(...found.map((fault) => `${path}: ${fault}`))
}

afterEach(async () => {
  await Promise.race([Promise.all(reading), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(`a reply is not what its vendor publishes:\n${[...new Set(found)].join('\n')}`)
})

/** Limits the wait for streams that a test keeps open on purpose. */
const PATIENCE_MS = 1_000
