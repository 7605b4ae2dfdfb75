interface SparklineProps {
  /** One per day. */
  readonly values: readonly number[]
}

const WIDTH = 72
const HEIGHT = 24

/** A small chart of a figure, without a scale; the charts below give the numbers. */
export function Sparkline({ values }: SparklineProps) {
  const max = Math.max(...values)
  if (values.length < 2 || max <= 0) return null
  const x = (index: number) => ((index / (values.length - 1)) * (WIDTH - 2) + 1).toFixed(1)
  const y = (value: number) => (HEIGHT - 2 - (value / max) * (HEIGHT - 4)).toFixed(1)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
  return (
    <svg aria-hidden="true" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="shrink-0">
      <path d={`${line}V${HEIGHT}H1z`} className="fill-accent/10" />
      <path d={line} fill="none" strokeWidth="1.5" strokeLinejoin="round" className="stroke-accent" />
    </svg>
  )
}
