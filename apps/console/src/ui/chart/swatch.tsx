import { seriesFill, seriesTexture } from './series-colours.ts'

/** Names the two textures inside one SVG; `id` must be unique on the page. */
export function textureUrl(id: string, texture: 'hatch' | 'dots'): string {
  return `url(#${id}-${texture})`
}

/** The textures that are drawn over a colour as a second cue. */
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

/** Colour and texture of a series, small; `id` names the textures of the page. */
export function Swatch({ colour, id }: { colour: number | undefined; id: string }) {
  const texture = seriesTexture(colour)
  return (
    <svg aria-hidden="true" width="11" height="11" className="shrink-0">
      <rect width="11" height="11" rx="2.5" fill={seriesFill(colour)} />
      {texture !== 'plain' && <rect width="11" height="11" rx="2.5" fill={textureUrl(id, texture)} />}
    </svg>
  )
}
