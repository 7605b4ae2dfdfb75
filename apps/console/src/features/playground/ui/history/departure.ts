import type { Playground, PlaygroundParts } from '../../engine/playground.ts'
import type { Keeper } from '../../model/history/keeper.ts'

/** How long after the announcement of a departure connections break because of it, in milliseconds. */
const DEPARTURE_MS = 3_000

/** A tab that is closed or reloaded has no time for a database, and one that is put aside may come back. */
export function watchDeparture() {
  let announcedAt = -Infinity
  return {
    /** The browser breaks connections before it tells that the page goes: what arrived through them stays a reply. */
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
    /** Answers how to end watching. */
    watch(playground: Playground, keeper: Keeper): () => void {
      const ending = new AbortController()
      const { signal } = ending
      window.addEventListener('beforeunload', () => (announcedAt = performance.now()), { signal })
      window.addEventListener(
        'pagehide',
        () => {
          playground.leave()
          keeper.hurry()
        },
        { signal },
      )
      window.addEventListener('pageshow', ({ persisted }) => persisted && keeper.relax(), { signal })
      return () => ending.abort()
    },
  }
}
