export type Oklch = readonly [lightness: number, chroma: number, hue: number]

export interface SeriesColour {
  readonly light: Oklch
  readonly dark: Oklch
}

const colour = (hue: number, light: readonly [number, number], dark: readonly [number, number]): SeriesColour => ({
  light: [light[0], light[1], hue],
  dark: [dark[0], dark[1], hue],
})

/**
 * Each colour stands out from its theme's surface by 3:1 or more. Neighbours differ in hue and lightness, because they touch in a
 * stack.
 */
export const SERIES_COLOURS: readonly SeriesColour[] = [
  colour(228, [0.5, 0.095], [0.72, 0.1]),
  colour(62, [0.66, 0.135], [0.8, 0.125]),
  colour(292, [0.5, 0.16], [0.66, 0.14]),
  colour(160, [0.6, 0.115], [0.78, 0.12]),
  colour(12, [0.55, 0.17], [0.68, 0.15]),
  colour(250, [0.64, 0.12], [0.78, 0.085]),
  colour(110, [0.52, 0.1], [0.68, 0.115]),
  colour(335, [0.62, 0.16], [0.77, 0.115]),
  colour(190, [0.5, 0.083], [0.66, 0.1]),
  colour(40, [0.64, 0.15], [0.79, 0.11]),
  colour(272, [0.46, 0.15], [0.62, 0.14]),
  colour(130, [0.63, 0.14], [0.82, 0.14]),
  colour(25, [0.48, 0.15], [0.62, 0.16]),
  colour(210, [0.62, 0.1], [0.8, 0.085]),
  colour(315, [0.48, 0.15], [0.64, 0.15]),
]

/** Positions beyond the palette repeat it; the sum of the others has no position and is grey. */
export function seriesFill(position: number | undefined): string {
  const found = position === undefined ? undefined : SERIES_COLOURS[position % SERIES_COLOURS.length]
  return found === undefined ? 'var(--control)' : `light-dark(${css(found.light)}, ${css(found.dark)})`
}

function css([lightness, chroma, hue]: Oklch): string {
  return `oklch(${lightness} ${chroma} ${hue})`
}

/** Drawn over a colour as a second cue: the first five series are plain, the next hatched, the last dotted. */
export type Texture = 'plain' | 'hatch' | 'dots'

const SERIES_PER_TEXTURE = 5

export function seriesTexture(position: number | undefined): Texture {
  if (position === undefined) return 'plain'
  const step = Math.floor((position % SERIES_COLOURS.length) / SERIES_PER_TEXTURE)
  return step === 0 ? 'plain' : step === 1 ? 'hatch' : 'dots'
}
