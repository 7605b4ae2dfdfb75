import { describe, expect, it } from 'vitest'
import { contrast, distance, linearRgb } from './contrast.ts'
import { type Oklch, SERIES_COLOURS, seriesFill, seriesTexture } from './series-colours.ts'

/** Surfaces of `app/styles.css`. */
const SURFACE: Readonly<Record<'light' | 'dark', Oklch>> = { light: [1, 0, 0], dark: [0.205, 0.009, 240] }
/** WCAG 1.4.11, graphical objects. */
const CONTRAST_MIN = 3
/** OKLab distance from which two adjacent areas can be told apart without effort. */
const DISTANCE_MIN = 0.1

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
