import { encode } from 'uqr'

/** Squares of margin that scanners need. */
const MARGIN = 4

/** A QR code, dark on white in both themes: many scanners read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: MARGIN })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 self-center rounded-md bg-white forced-color-adjust-none"
    >
      <path d={darkSquares(data)} fill="black" />
    </svg>
  )
}

/** The dark squares as the path of an SVG whose unit is one square. */
function darkSquares(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}
