import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KINDS } from '../kinds/all.ts'
import { channelProblems } from './channel-fields.ts'
import { withoutBlanks } from './config-fields.ts'
import { newKeys, updatedKey } from './key-parts.ts'

const word = fc.stringMatching(/^[A-Za-z0-9+/=_-]{1,20}$/)
const region = fc.stringMatching(/^[a-z]{2}-[a-z]{3,8}-\d$/)
const access = fc.record({ ak: word, sk: word, region })
const code = fc.constantFrom(...KINDS.map((kind) => kind.code))

test('a change of some parts of a joined key leaves the other parts as they are', { tags: 'S33' }, () => {
  fc.assert(
    fc.property(access, fc.record({ ak: word, sk: word, region }, { requiredKeys: [] }), (before, changes) => {
      const stored = `${before.ak}|${before.sk}|${before.region}`
      const { ak, sk, region: place } = { ...before, ...changes }
      const key = updatedKey(33, '', changes, changes, stored)
      expect(key ?? stored).toBe(`${ak}|${sk}|${place}`)
    }),
  )
})

test('a key that a create call joins from its parts reads as unchanged on update', () => {
  fc.assert(
    fc.property(access, (config) => {
      const keys = newKeys(33, '', config)
      if ('field' in keys) throw new Error(keys.rule)
      expect(updatedKey(33, '', { region: config.region }, {}, keys[0])).toBeUndefined()
    }),
  )
})

test('no rule repeats the key or a member of the config that it is about', { tags: 'S20' }, () => {
  const secret = fc.stringMatching(/^[^\s"\\]{8,40}$/).map((text) => `canary${text}`)
  fc.assert(
    fc.property(code, secret, (type, text) => {
      const config = { ak: text, sk: text, vertex_ai_adc: text, region: text, auth_type: text }
      const keys = newKeys(type, `${text} ${text}`, config)
      const told = [
        ...('field' in keys ? [keys.rule] : []),
        ...channelProblems({ ...draft, type, config, key: text }).map(({ rule }) => rule),
      ]
      for (const rule of told) expect(rule).not.toContain(text)
    }),
  )
})

test('whatever a config holds, each problem names a field, and nothing throws', () => {
  fc.assert(
    fc.property(code, fc.dictionary(fc.string({ maxLength: 60 }), fc.jsonValue()), fc.string(), (type, given, text) => {
      const config = withoutBlanks(given)
      const found = channelProblems({ ...draft, type, config, other: text, baseUrl: text, modelMapping: text })
      for (const { field, rule } of found) {
        expect(field).toMatch(/^(?:base_url|other|model_mapping|config\.[^]{0,40})$/)
        expect(rule.length).toBeGreaterThan(0)
      }
    }),
  )
})

const draft = {
  type: 1,
  baseUrl: '',
  other: '',
  config: {},
  modelMapping: null,
  modelConfigs: null,
  inferenceProfileArnMap: null,
  key: undefined,
}
