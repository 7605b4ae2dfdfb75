import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PARAMETERS } from './parameters.ts'
import { isApplied, PRESETS_MAX, presetList, presetOf, withoutPreset, withPreset, withRenamed } from './presets.ts'

const preset = (name: string, temperature = 1) => presetOf(name, 'gpt-5', { ...DEFAULT_PARAMETERS, temperature })
const names = (presets: readonly { readonly name: string }[]) => presets.map(({ name }) => name)

describe('presets', () => {
  it('are read back as they were stored', () => {
    const stored = JSON.stringify([preset('a'), preset('b')])
    expect(v.parse(presetList, JSON.parse(stored))).toEqual([preset('a'), preset('b')])
  })

  it('hold how a model answers, not how the screen is arranged', () => {
    expect(preset('a').parameters).not.toHaveProperty('focusModeEnabled')
    expect(isApplied(preset('a', 0.7), 'gpt-5', { ...DEFAULT_PARAMETERS, focusModeEnabled: false })).toBe(true)
  })

  it.each([
    ['another model', 'o3', {}],
    ['another temperature', 'gpt-5', { temperature: 0.8 }],
    ['another message', 'gpt-5', { systemMessage: '' }],
  ])('no longer match with %s', (_, model, change) => {
    expect(isApplied(preset('a', 0.7), 'gpt-5', DEFAULT_PARAMETERS)).toBe(true)
    expect(isApplied(preset('a', 0.7), model, { ...DEFAULT_PARAMETERS, ...change })).toBe(false)
  })

  it('match with every model when they name none', () => {
    expect(isApplied({ ...preset('a', 0.7), model: '' }, 'o3', DEFAULT_PARAMETERS)).toBe(true)
  })

  it('are replaced in place when saved again, and the oldest makes room', () => {
    const two = [preset('a'), preset('b')]
    expect(withPreset(two, preset('a', 2))).toEqual([preset('a', 2), preset('b')])
    const full = Array.from({ length: PRESETS_MAX }, (_, index) => preset(`p${index}`))
    const more = withPreset(full, preset('new'))
    expect(more).toHaveLength(PRESETS_MAX)
    expect([names(more)[0], names(more).at(-1)]).toEqual(['p1', 'new'])
  })

  it('are renamed and deleted by name; a name stays unique', () => {
    const three = [preset('a'), preset('b'), preset('c')]
    expect(names(withRenamed(three, 'a', 'z'))).toEqual(['z', 'b', 'c'])
    expect(names(withRenamed(three, 'a', 'b'))).toEqual(['b', 'c'])
    expect(withRenamed(three, 'a', 'a')).toEqual(three)
    expect(names(withoutPreset(three, 'b'))).toEqual(['a', 'c'])
  })
})
