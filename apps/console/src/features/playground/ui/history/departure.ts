import type { Playground, PlaygroundParts } from '~/features/playground/engine/playground.ts'
import type { ConversationStore } from '~/features/playground/model/history/conversation-store.ts'

/** How long after the page announces that it is closing a broken connection is attributed to that, in milliseconds. */
const DEPARTURE_MS = 3_000

/** A tab that is closed or reloaded has no time for a database, and one in the background may come back. */
export function watchDeparture() {
  let announcedAt = -Infinity
  return {
    /** The browser breaks connections before it reports that the page is closing: what arrived through them stays a reply. */
    asking:
      (ask: PlaygroundParts['ask']): PlaygroundParts['ask'] =>
      async (question, onPiece, signal) => {
        let arrived = false
        const end = await ask(
          question,
          (piece) => {
            arrived ||= piece.kind !== 'requestId'
            onPiece(piece)
          },
          signal,
        )
        const isBroken = end.kind === 'failed' && (end.failure.kind === 'broken' || end.failure.kind === 'unsent')
        if (!isBroken || performance.now() - announcedAt > DEPARTURE_MS) return end
        return arrived ? { kind: 'complete', finish: '' } : { kind: 'aborted' }
      },
    /** Returns a function that stops watching. */
    watch(playground: Playground, store: ConversationStore): () => void {
      const ending = new AbortController()
      const { signal } = ending
      window.addEventListener('beforeunload', () => (announcedAt = performance.now()), { signal })
      window.addEventListener(
        'pagehide',
        () => {
          playground.leave()
          store.hurry()
        },
        { signal },
      )
      window.addEventListener('pageshow', ({ persisted }) => persisted && store.relax(), { signal })
      return () => ending.abort()
    },
  }
}
