import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TargetName } from '../targets.ts'
import type { BenchReport, Cell, Row } from './report.ts'

/** The README's picture: bars of processor time per request, as an SVG that follows the reader's light or dark scheme. */

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'processor-time.svg')

/** The two panels: a realistic load, and the most that a few callers can request. */
const PANELS = [
  { row: 'rate200', title: '200 requests a second, a provider that takes 20 ms' },
  { row: 'closed32', title: '32 connections that never pause' },
] as const

type Gateway = Exclude<TargetName, 'direct'>

/** States which gateways keep accounts, for a fair comparison. */
const NAMES: Readonly<Record<Gateway, string>> = {
  nginx: 'nginx, no keys',
  bare: 'bare relay in Node, no keys',
  Sluice: 'Sluice, every call charged',
  Portkey: 'Portkey, no accounts',
  'one-api': 'one-api, every call charged',
  Laisky: 'Laisky/one-api, every call charged',
  LiteLLM: 'LiteLLM, no database',
}

const WIDTH = 820
const BARS_FROM = 250
const BARS_WIDTH = 370
const LINE = 26
const BAR = 16
const STYLE = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 }
  .panel { font-weight: 600 }
  .quiet { fill: #59636e }
  .bar { fill: #9aa4af }
  .ours { fill: #0a6583 }
  .name-ours { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .bar { fill: #656c76 }
    .ours { fill: #7ecbe3 }
  }
`

export async function drawPicture(report: BenchReport): Promise<void> {
  await writeFile(FILE, pictureOf(report))
}

/** Both panels have one scale. Throws when the run has none of the figures. */
export function pictureOf({ date, machine, rounds, targets, sections }: BenchReport): string {
  const rows = sections.flatMap((section) => section.rows)
  const shown = targets.filter((target) => target !== 'direct')
  const panels = PANELS.flatMap(({ row, title }) => {
    const found = rows.find(({ name }) => name === row)
    return found === undefined ? [] : [{ title, row: found }]
  })
  const most = Math.max(...panels.flatMap(({ row }) => shown.map((target) => row.cells[target]?.value ?? 0)), 0)
  if (most === 0) throw new Error('the run has no figures to draw')
  const panelHeight = (shown.length + 2) * LINE
  const height = 40 + panels.length * panelHeight + 34
  const drawn = panels.map(({ title, row }, at) => panelOf(title, row, shown, 58 + at * panelHeight, most))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Processor time per request, in microseconds</title>
<style>${STYLE}</style>
<text class="title" x="0" y="22">Processor time per request</text>
${drawn.join('\n')}
<text class="quiet" x="0" y="${height - 10}">${escape(`${date}, ${machine}; ${rounds === 1 ? 'one round' : `${rounds} rounds`} of npm run bench`)}</text>
</svg>
`
}

function panelOf(title: string, row: Row, targets: readonly Gateway[], top: number, most: number): string {
  const lines = targets.map((target, at) => lineOf(target, row.cells[target], top + (at + 1) * LINE, most))
  return [`<text class="panel" x="0" y="${top}">${escape(title)}</text>`, ...lines].join('\n')
}

function lineOf(target: Gateway, cell: Cell | undefined, y: number, most: number): string {
  const ours = target === 'Sluice'
  const { value = null, overBare = null } = cell ?? {}
  const name = `<text x="0" y="${y}"${ours ? ' class="name-ours"' : ''}>${escape(NAMES[target])}</text>`
  if (value === null) return `${name}\n<text class="quiet" x="${BARS_FROM}" y="${y}">could not keep up</text>`
  const width = Math.max(2, Math.round((value / most) * BARS_WIDTH))
  const ratio = overBare === null ? '' : ` · ${overBare.toFixed(overBare < 10 ? 1 : 0)} × bare relay`
  const figure = `${value.toLocaleString('en-US', { maximumFractionDigits: 0 })} µs${ratio}`
  return `${name}
<rect class="bar${ours ? ' ours' : ''}" x="${BARS_FROM}" y="${y - BAR + 4}" width="${width}" height="${BAR}" rx="2"/>
<text x="${BARS_FROM + width + 8}" y="${y}">${figure}</text>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
