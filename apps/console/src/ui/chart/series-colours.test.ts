import { describe, expect, it } from 'vitest'
import { type Oklch, SERIES_COLOURS, seriesFill, seriesTexture } from './series-colours.ts'

/** Surfaces of `app/styles.css`. */
const SURFACE: Readonly<Record<'light' | 'dark', Oklch>> = { light: [1, 0, 0], dark: [0.205, 0.009, 240] }
/** WCAG 1.4.11, graphical objects. */
const CONTRAST_MIN = 3
/** OKLab distance from which two adjacent areas can be told apart without effort. */
const DISTANCE_MIN = 0.1

function oklab([lightness, chroma, hue]: Oklch): [number, number, number] {
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

/** Linear-light sRGB, by the matrices of the CSS Color 4 specification. */
function linearRgb(value: Oklch): [number, number, number] {
  const [lightness, a, b] = oklab(value)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function luminance(value: Oklch): number {
  const [red, green, blue] = linearRgb(value).map((part) => Math.min(1, Math.max(0, part)))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function contrast(a: Oklch, b: Oklch): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function distance(a: Oklch, b: Oklch): number {
  const [from, to] = [oklab(a), oklab(b)]
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])
}

describe.each(['light', 'dark'] as const)('palette in the %s theme', (theme) => {
  const colours = SERIES_COLOURS.map((colour) => colour[theme])

  it('has fifteen different colours', { tags: 'A2.46' }, () => {
    expect(new Set(colours.map(String)).size).toBe(15)
  })

  it('stands out from the surface by 3:1', () => {
    const weak = colours.filter((colour) => contrast(colour, SURFACE[theme]) < CONTRAST_MIN)
    expect(weak).toEqual([])
  })

  it('stays within the gamut of every screen', () => {
    const outside = colours.filter((colour) => linearRgb(colour).some((part) => part < -0.002 || part > 1.002))
    expect(outside).toEqual([])
  })

  it('tells neighbours apart', () => {
    const close = colours.filter((colour, index) => {
      const next = colours[(index + 1) % colours.length]
      return next !== undefined && distance(colour, next) < DISTANCE_MIN
    })
    expect(close).toEqual([])
  })
})

describe('series', () => {
  it('cycles through the palette', { tags: 'A2.46' }, () => {
    expect(seriesFill(15)).toBe(seriesFill(0))
    expect(seriesTexture(16)).toBe(seriesTexture(1))
  })

  it('adds a second cue to the colour in three groups of five', () => {
    expect([0, 4, 5, 9, 10, 14].map(seriesTexture)).toEqual(['plain', 'plain', 'hatch', 'hatch', 'dots', 'dots'])
  })

  it('draws the series that adds up the others plain and without a colour of its own', () => {
    expect(seriesFill(undefined)).toBe('var(--control)')
    expect(seriesTexture(undefined)).toBe('plain')
  })
})
