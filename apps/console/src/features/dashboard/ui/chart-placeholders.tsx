import { ChartPlaceholder } from '~/ui/chart/chart-placeholder.tsx'
import { PLOT_HEIGHT } from '~/ui/chart/plot-heights.ts'

/** Placeholders for the charts while their code is loading. */
export function ChartPlaceholders() {
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-3">
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
        <ChartPlaceholder height={PLOT_HEIGHT.line} />
      </div>
      <ChartPlaceholder height={PLOT_HEIGHT.bars} />
      <div className="grid gap-3 xl:grid-cols-2">
        <ChartPlaceholder height={PLOT_HEIGHT.bars} />
        <ChartPlaceholder height={PLOT_HEIGHT.bars} />
      </div>
    </>
  )
}
