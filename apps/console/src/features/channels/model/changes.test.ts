import { describe, expect, it } from 'vitest'
import { changesOf } from './changes.ts'
import { NEW_CHANNEL } from './channel-form-values.ts'

const stored = { ...NEW_CHANNEL, name: 'main', models: ['a', 'b'], model_configs: '{"a":{"ratio":1},"b":{"ratio":2}}' }
const changed = (change: object) => changesOf(stored, { ...stored, ...change })

describe('what a save would change', () => {
  it('is nothing while the form is unchanged except for spaces', () => {
    expect(changed({})).toEqual([])
    expect(changed({ model_configs: '{ "a": {"ratio": 1},\n"b": {"ratio": 2} }', name: 'main ' })).toEqual([])
    expect(changed({ key_form: 'entra' })).toEqual([])
  })

  it('is listed in the order of the form, with old and new values', () => {
    expect(changed({ priority: 3, name: 'other', weight: Number.NaN })).toEqual([
      { field: 'name', kind: 'value', before: 'main', after: 'other' },
      { field: 'priority', kind: 'value', before: '0', after: '3' },
      { field: 'weight', kind: 'value', before: '0', after: '' },
    ])
  })

  it('names the models that are added and removed', () => {
    expect(changed({ models: ['b', 'c'] })).toEqual([{ field: 'models', kind: 'names', added: ['c'], gone: ['a'] }])
    expect(changed({ models: ['b', 'a'] })).toEqual([])
  })

  it('shows the lines of a long text that differ', () => {
    expect(changed({ model_configs: '{"a":{"ratio":1},"b":{"ratio":3}}' })).toEqual([
      {
        field: 'model_configs',
        kind: 'lines',
        lines: [
          { sign: '-', text: '    "ratio": 2' },
          { sign: '+', text: '    "ratio": 3' },
        ],
      },
    ])
    expect(changed({ system_prompt: 'one\ntwo' })).toMatchObject([
      {
        lines: [
          { sign: '+', text: 'one' },
          { sign: '+', text: 'two' },
        ],
      },
    ])
    expect(changed({ system_prompt: 'line\n'.repeat(600) })).toMatchObject([{ field: 'system_prompt' }])
  })

  it('never shows a credential', { tags: 'S20' }, () => {
    const text = JSON.stringify(changed({ key: 'sk-new', ak: 'AKIA', client_secret: 'hidden' }))
    expect(text).toContain('"secret"')
    expect(text).not.toMatch(/sk-new|AKIA|hidden/)
  })
})
