import { clsx } from 'clsx'
import type { MouseEvent, ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import type { ChartSeries, Fold } from './chart-series.ts'
import { seriesFill, seriesTexture } from './series-colours.ts'
import { chartTexts } from './texts/chart-texts.ts'

interface LegendProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly hidden: ReadonlySet<string>
  readonly textures: string
  readonly format: (total: number) => string
  readonly onToggle: (key: string) => void
  /** Shows only this series; a second call shows all. */
  readonly onIsolate: (key: string) => void
  readonly onHighlight: (key: string | undefined) => void
  readonly linkOf?: ((key: string) => ReactNode) | undefined
  readonly fold?: Fold | undefined
}

/** Lists every series with its total. A press hides or shows a series; a double press or a press with Alt shows only that one. */
export function Legend(props: LegendProps) {
  const { label, series, hidden, textures, format, onToggle, onIsolate, onHighlight, linkOf, fold } = props
  const t = useTexts(chartTexts)
  const onClick = (event: MouseEvent, key: string) => {
    // The first press of a double press has already toggled the series, which this undoes.
    if (event.detail === 2) onToggle(key)
    if (event.detail === 2 || event.altKey) onIsolate(key)
    else if (event.detail < 2) onToggle(key)
  }
  return (
    <ul
      aria-label={t.seriesOf(label)}
      className="grid w-full content-start gap-x-4 gap-y-px overflow-y-auto @md:grid-cols-2 @2xl:grid-cols-1"
    >
      {series.map(({ key, name, total, colour }) => {
        const shown = !hidden.has(key)
        return (
          <li key={key} className="flex min-w-0 items-center">
            <button
              type="button"
              aria-pressed={shown}
              onClick={(event) => onClick(event, key)}
              onPointerEnter={() => onHighlight(key)}
              onPointerLeave={() => onHighlight(undefined)}
              onFocus={() => onHighlight(key)}
              onBlur={() => onHighlight(undefined)}
              className={clsx(
                'hover:bg-hover flex min-h-6 min-w-0 grow items-center gap-2 rounded px-1.5 text-start text-xs pointer-coarse:min-h-11',
                !shown && 'text-muted line-through',
              )}
            >
              <span className={clsx('flex', !shown && 'opacity-30')}>
                <Swatch colour={colour} id={textures} />
              </span>
              <span className="min-w-0 grow truncate" title={name}>
                {name}
              </span>
              <span className="text-muted shrink-0 tabular-nums">{format(total)}</span>
            </button>
            {linkOf?.(key)}
          </li>
        )
      })}
      {fold !== undefined && (
        <li>
          <Button size="small" variant="ghost" aria-expanded={fold.unfolded} onClick={fold.onToggle}>
            {fold.unfolded ? t.showFewer : t.showAll(fold.count)}
          </Button>
        </li>
      )}
    </ul>
  )
}

export function toggled(hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(hidden)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Hides all other series; shows all again when only that one is visible. */
export function isolated(hidden: ReadonlySet<string>, key: string, keys: readonly string[]): ReadonlySet<string> {
  const others = keys.filter((one) => one !== key)
  const alone = !hidden.has(key) && others.every((one) => hidden.has(one))
  return new Set(alone ? [] : others)
}

/** `id` must be unique on the page. */
export function textureUrl(id: string, texture: 'hatch' | 'dots'): string {
  return `url(#${id}-${texture})`
}

export function Textures({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatch`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1.5" height="5" className="fill-surface/45" />
      </pattern>
      <pattern id={`${id}-dots`} width="5" height="5" patternUnits="userSpaceOnUse">
        <circle cx="2.5" cy="2.5" r="1.1" className="fill-surface/60" />
      </pattern>
    </defs>
  )
}

export function Swatch({ colour, id }: { colour: number | undefined; id: string }) {
  const texture = seriesTexture(colour)
  return (
    <svg aria-hidden="true" width="11" height="11" className="shrink-0">
      <rect width="11" height="11" rx="2.5" fill={seriesFill(colour)} />
      {texture !== 'plain' && <rect width="11" height="11" rx="2.5" fill={textureUrl(id, texture)} />}
    </svg>
  )
}
