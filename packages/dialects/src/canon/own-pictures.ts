import type { Losses } from './losses.ts'
import type { Part, Turn } from './parts.ts'

const MEDIA: ReadonlySet<Part['kind']> = new Set(['image', 'file', 'audio', 'video'])

export type NumberedTurn = readonly [turn: Turn, index: number]

/** Moves a model's own pictures to a user turn after the tool results: most providers refuse pictures in a model's turn. */
export function withoutOwnPictures(turns: readonly Turn[], losses: Losses): readonly NumberedTurn[] {
  const out: NumberedTurn[] = []
  let shown: NumberedTurn | undefined
  for (const [index, turn] of turns.entries()) {
    if (shown !== undefined && turn.role !== 'tool') {
      out.push(shown)
      shown = undefined
    }
    const media = turn.role === 'assistant' ? turn.parts.filter(({ kind }) => MEDIA.has(kind)) : []
    const [first] = media
    if (first === undefined) {
      out.push([turn, index])
      continue
    }
    losses.changed(`messages[].content[${first.kind}]`)
    out.push([{ ...turn, parts: turn.parts.filter(({ kind }) => !MEDIA.has(kind)) }, index])
    shown = [{ role: 'user', parts: media }, index]
  }
  return shown === undefined ? out : [...out, shown]
}
