import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as v from 'valibot'
import type { SharedPorts } from '../ports.ts'

/** The console waits ten seconds for any reply. */
const TIMEOUT_MS = 8_000
const MAX_BYTES = 262_144
const REDIRECTS = 3
/** Releases need not be known within the hour; a failure is retried sooner. */
const KEEP_MS = 3_600_000
const KEEP_FAILURE_MS = 60_000

/** Release format of GitHub and compatible forges: https://docs.github.com/en/rest/releases/releases */
const release = v.object({
  tag_name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  body: v.optional(v.nullable(v.string())),
  content: v.optional(v.nullable(v.string())),
})
const feed = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    release,
    v.pipe(
      v.tuple([release]),
      v.transform(([newest]) => newest),
    ),
  ]),
)

type Answer = { readonly data: { readonly tag_name: string; readonly content: string } } | Refusal

export interface ReleaseFeedDeps extends Pick<SharedPorts, 'fetchGuarded' | 'now'> {
  /** Address of the feed that lists the newest release; empty for none. */
  readonly releaseFeed: string
}

/** The server fetches the newest release, so that no administrator's browser talks to a third party. Cached and shared. */
export function createReleaseFeed(deps: ReleaseFeedDeps): () => Promise<Answer> {
  let known: { readonly answer: Promise<Answer>; readonly until: number } | undefined

  const ask = async (): Promise<Answer> => {
    const reply = await deps.fetchGuarded({
      method: 'GET',
      url: deps.releaseFeed,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirects: REDIRECTS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!reply.ok) return unreachable(reply.reason)
    if (reply.status !== 200) return unreachable(`it answered ${reply.status}`)
    const parsed = v.safeParse(feed, reply.body.toString('utf8'))
    if (!parsed.success) return unreachable('its answer is not a release')
    const { tag_name, body, content } = parsed.output
    return { data: { tag_name, content: content ?? body ?? '' } }
  }

  return async () => {
    if (deps.releaseFeed === '') return NO_FEED
    const left = known === undefined ? 0 : known.until - deps.now()
    // The cached release is also dropped if the clock was set back.
    if (known !== undefined && left > 0 && left <= KEEP_MS) return await known.answer
    const asked = { answer: ask(), until: deps.now() + KEEP_MS }
    known = asked
    const answer = await asked.answer
    if (isRefusal(answer) && known === asked) known = { ...asked, until: deps.now() + KEEP_FAILURE_MS }
    return answer
  }
}

const NO_FEED: Refusal = {
  code: 'refused',
  params: {
    reason: 'No release feed is configured. To check for updates, set SLUICE_RELEASE_FEED to the address of one.',
  },
}

function unreachable(reason: string): Refusal {
  return { code: 'refused', params: { reason: `The release feed could not be read: ${reason}.` } }
}
