import { Skeleton } from '../skeleton.tsx'

/** In pixels. The page needs the heights before the charts' code has loaded. */
export const PLOT_HEIGHT = { line: 124, bars: 280 } as const

/** As high as the chart that replaces it. `height` is the plot's, in pixels. */
export function ChartPlaceholder({ height }: { height: number }) {
  return (
    <div aria-hidden="true" className="border-line bg-surface min-w-0 rounded-lg border p-4">
      <div className="mb-3 flex h-9.5 flex-col justify-center gap-2">
        <Skeleton className="h-3.5 w-28" />
        <Skeleton className="h-3 w-20" />
      </div>
      <div style={{ height }} />
    </div>
  )
}
