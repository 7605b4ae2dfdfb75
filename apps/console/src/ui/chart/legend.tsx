import { clsx } from 'clsx'
import type { MouseEvent, ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import type { ChartSeries, Fold } from './chart-series.ts'
import { Swatch } from './swatch.tsx'
import { chartTexts } from './texts/chart-texts.ts'

interface LegendProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly hidden: ReadonlySet<string>
  /** Id of the textures inside the chart. */
  readonly textures: string
  readonly format: (total: number) => string
  readonly onToggle: (key: string) => void
  /** Shows this one alone; called again, shows all. */
  readonly onIsolate: (key: string) => void
  readonly onHighlight: (key: string | undefined) => void
  readonly linkOf?: ((key: string) => ReactNode) | undefined
  readonly fold?: Fold | undefined
}

/** Every series with its total. A press hides or shows it; a double press or a press with Alt shows it alone. */
export function Legend(props: LegendProps) {
  const { label, series, hidden, textures, format, onToggle, onIsolate, onHighlight, linkOf, fold } = props
  const t = useTexts(chartTexts)
  const onClick = (event: MouseEvent, key: string) => {
    // The first press of a double press has already toggled it; this undoes that before the series is shown alone.
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
