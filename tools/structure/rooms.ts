import type { SourceFile } from './source-files.ts'

/** How the rooms of one folder (its files and subfolders) import each other. */
export interface RoomCounts {
  readonly rooms: number
  /** Pairs of which one imports the other, or both. */
  readonly linked: number
  readonly mutual: readonly string[]
  /** Imports that would have to be reversed for all to point one way: the fewest that a simple ordering finds. */
  readonly back: readonly string[]
}

type Points = (from: string, to: string) => boolean

/** `folder` without a trailing slash, such as `apps/gateway/src/relay`. */
export function countRooms(sources: readonly SourceFile[], folder: string): RoomCounts {
  const roomOf = (path: string): string | undefined =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
  const arrows = new Set<string>()
  const names = new Set<string>()
  for (const { path, imports } of sources) {
    const from = roomOf(path)
    if (from === undefined) continue
    names.add(from)
    for (const to of imports.map(roomOf)) {
      if (to === undefined || to === from) continue
      arrows.add(`${from} → ${to}`)
    }
  }
  const rooms = [...names].toSorted()
  const points: Points = (from, to) => arrows.has(`${from} → ${to}`)
  const pairs = rooms.flatMap((a, at) => rooms.slice(at + 1).map((b) => [a, b] as const))
  const order = sorted(rooms, points)
  return {
    rooms: rooms.length,
    linked: pairs.filter(([a, b]) => points(a, b) || points(b, a)).length,
    mutual: pairs.filter(([a, b]) => points(a, b) && points(b, a)).map(([a, b]) => `${a} ↔ ${b}`),
    back: order.flatMap((lower, at) =>
      order.slice(0, at).flatMap((upper) => (points(lower, upper) ? [`${lower} → ${upper}`] : [])),
    ),
  }
}

/** Importers first: the next room is always the one imported least relative to its own imports (Eades, Lin and Smyth, 1993). */
function sorted(rooms: readonly string[], points: Points): readonly string[] {
  const rest = new Set(rooms)
  const first: string[] = []
  const last: string[] = []
  while (rest.size > 0) {
    const known = [...rest].map((room) => ({
      room,
      out: [...rest].filter((other) => points(room, other)).length,
      in: [...rest].filter((other) => points(other, room)).length,
    }))
    const sink = known.find(({ out }) => out === 0)
    const next =
      sink ?? known.find((each) => each.in === 0) ?? known.toSorted((a, b) => b.out - b.in - (a.out - a.in))[0]
    if (next === undefined) break
    rest.delete(next.room)
    if (next === sink) last.unshift(next.room)
    else first.push(next.room)
  }
  return [...first, ...last]
}
