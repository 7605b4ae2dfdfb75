import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contrast } from '../ui/chart/contrast.ts'
import type { Oklch } from '../ui/chart/series-colours.ts'

const css = readFileSync(join(import.meta.dirname, 'styles.css'), 'utf8')
const OKLCH = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
const TOKEN = new RegExp(String.raw`^ {2}--([\w-]+): light-dark\(${OKLCH}, ${OKLCH}\);`, 'gm')
const colours = new Map(
  [...css.matchAll(TOKEN)].map(([, name = '', ...parts]) => {
    const [light, lightChroma, lightHue, dark, darkChroma, darkHue] = parts.map(Number)
    return [name, { light: [light, lightChroma, lightHue], dark: [dark, darkChroma, darkHue] } as Both]
  }),
)
interface Both {
  readonly light: Oklch
  readonly dark: Oklch
}

const PAGES = ['canvas', 'surface', 'raised', 'subtle', 'hover']
const SIGNALS = ['accent', 'good', 'warn', 'bad']
const TEXTS: readonly (readonly [text: string, ground: string])[] = [
  ...PAGES.flatMap((ground) => ['ink', 'muted', ...SIGNALS].map((text) => [text, ground] as const)),
  ...SIGNALS.flatMap((signal) => [signal, 'ink', 'muted'].map((text) => [text, `${signal}-soft`] as const)),
]
const SOLIDS = ['accent-solid', 'accent-solid-hover', 'bad-solid']
const WHITE: Oklch = [1, 0, 0]

/** Every pair of colours that a screen can have, by WCAG 1.4.3 and 1.4.11; axe measures one screen in one theme. */
describe.each(['light', 'dark'] as const)('the colours of the %s theme', (theme) => {
  const colour = (name: string): Oklch => {
    const found = colours.get(name)
    if (found === undefined) throw new Error(`styles.css has no colour ${name}`)
    return found[theme]
  }

  test.each(TEXTS)('%s on %s can be read', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(SOLIDS)('white on %s can be read', (ground) => {
    expect(contrast(WHITE, colour(ground))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(PAGES)('the border of a control stands out from %s', (ground) => {
    expect(contrast(colour('control'), colour(ground))).toBeGreaterThanOrEqual(3)
  })
})
