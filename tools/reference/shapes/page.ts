import { code } from '../markdown-page.ts'
import { dialectOf, type Outcome, type OutcomeKind, outcomesOf } from './outcomes.ts'
import { committedShapes, type VendorShape } from './read-shapes.ts'
import { type EventOutcome, eventOutcome } from './stream-events.ts'
import { isOfRequest, PLACES } from './vendor-unions.ts'

const INTRODUCTION = `# Shapes

Everything that the vendors' own libraries say may be in a conversation, and what becomes of it where client and provider speak different
dialects. The list is read from the types of PACKAGES; each row is a sample of its type that was sent through the codecs. Within one
dialect bytes pass unchanged.

- carried: arrives as what it is. carried\\*: so it does, but something in it does not; the losses list that.
- near: arrives as another thing with the same meaning; the losses list it.
- text: what is readable of it arrives as text, with its pictures; the losses list it.
- refused: the client gets an error that names it, because without it the model would answer out of nothing.
- dropped: does not arrive; the losses list it.
- hidden: part of an answer that clients of other dialects are not shown: searches, whose sources are cited, and the housekeeping of a
  provider's tools. Such tools run only if the request asks for them, and its losses then list them.

The losses are in the header \`X-Sluice-Losses\` and in the log row; strict mode refuses such a provider instead. \`npm run fix\` reads the
libraries again. A type that is new in one of them fails a test by its name until then, and one that would be lost in silence after that.

Made by \`npm run fix\` from the code; a stale page fails the check.
`

export function shapesPage(): string {
  const { packages, shapes } = committedShapes()
  const names = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
  const conversed = shapes.filter(({ place }) => !place.includes('stream'))
  const streamed = shapes.filter(({ place }) => place.includes('stream'))
  const rows = conversed.map((shape) => ({ shape, outcomes: outcomesOf(shape) }))
  const sections = PLACES.flatMap((place) => {
    const here = rows.filter(({ shape }) => shape.place === place)
    return here.length === 0 ? [] : [section(place, here)]
  })
  return [INTRODUCTION.replace('PACKAGES', names.join(', ')), summary(rows), ...sections, eventSection(streamed)].join(
    '\n',
  )
}

interface Row {
  readonly shape: VendorShape
  readonly outcomes: ReadonlyMap<string, Outcome>
}

const KINDS: readonly OutcomeKind[] = ['carried', 'near', 'text', 'refused', 'dropped', 'hidden', 'silent']

function summary(rows: readonly Row[]): string {
  const directions = new Map<string, OutcomeKind[]>()
  for (const { shape, outcomes } of rows) {
    for (const [dialect, { kind }] of outcomes) {
      const own = dialectOf(shape)
      const name = isOfRequest(shape.place) ? `requests, ${own} to ${dialect}` : `answers, ${own} to ${dialect}`
      directions.set(name, [...(directions.get(name) ?? []), kind])
    }
  }
  const all = [...directions.values()].flat()
  const lines = [...directions, ['all', all] as const].map(([name, kinds]) => {
    const counts = KINDS.map((kind) => kinds.filter((each) => each === kind).length)
    const share = (counts[KINDS.indexOf('dropped')] ?? 0) / kinds.length
    return [name, String(kinds.length), ...counts.map(String), `${Math.round(share * 100)} %`]
  })
  return `## Directions\n\n${table(['Direction', 'Shapes', ...KINDS, 'Share of dropped'], lines)}`
}

function section(place: string, rows: readonly Row[]): string {
  const columns = [...(rows[0]?.outcomes.keys() ?? [])]
  const lines = rows.map(({ shape, outcomes }) => [
    code(shape.name),
    shape.type,
    ...columns.map((dialect) => cell(outcomes.get(dialect))),
  ])
  return `## ${place}\n\n${table(['Shape', 'Type', ...columns], lines)}`
}

function cell(outcome: Outcome | undefined): string {
  if (outcome === undefined) return '\u2013'
  const isPartial = outcome.kind === 'carried' && outcome.losses.length > 0
  return isPartial ? 'carried\\*' : outcome.kind
}

function eventSection(shapes: readonly VendorShape[]): string {
  const meanings: readonly (readonly [EventOutcome, string])[] = [
    ['read', 'Clients of every dialect hear of them.'],
    ['repeated', 'They tell how something grows that another event brings whole.'],
    ['unknown', 'Nothing is known of them.'],
  ]
  const groups = meanings.flatMap(([outcome, meaning]) => {
    const names = shapes.filter((shape) => eventOutcome(shape) === outcome).map(({ name }) => code(name))
    return names.length === 0 ? [] : [`${outcome} (${names.length}). ${meaning}\n\n${names.join(', ')}\n`]
  })
  return `## Events of streams\n\n${groups.join('\n')}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}
