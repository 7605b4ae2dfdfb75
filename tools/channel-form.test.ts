import { describe, expect, it } from 'vitest'
import { configFieldsOf, hasSameKeyForm } from '../apps/console/src/features/channels/model/channel-kind.ts'
import { CHANNEL_KINDS, type KeyField } from '../packages/contract/src/channel-kinds.ts'
import { otherProblem } from '../packages/providers/src/channel-fields/channel-fields.ts'
import { configProblems } from '../packages/providers/src/channel-fields/config-fields.ts'
import * as keyForms from '../packages/providers/src/channel-fields/key-forms.ts'
import { googleDocument } from '../tests/testkit/src/channel-bodies.ts'

/** For each field of a key, a value that the gateway accepts. */
const SAMPLE: Readonly<Record<KeyField, string>> = {
  key: 'sk-upstream',
  region: 'us-east-1',
  ak: 'AKIDEXAMPLE',
  sk: 'wJalrXUtnFEMI',
  user_id: '7',
  vertex_ai_project_id: 'my-project',
  vertex_ai_adc: googleDocument(),
  auth_type: 'personal_access_token',
  api_format: 'chat_completion',
  credentials: 'own',
  caller_ratio: '0.1',
  tenant_id: 'tenant',
  client_id: 'client',
  client_secret: 'secret',
  app_id: '1250000000',
  api_key: 'apikey',
  api_secret: 'apisecret',
  session_token: 'session',
}
/** Keys that consist of one field with a special format. */
const WRITTEN: Readonly<Record<string, string>> = { 'bce-v3/…': 'bce-v3/a/b', 'id.secret': 'id.secret' }
/** Samples of the column `other`, by its meaning. */
const OTHERS = {
  apiVersion: '2024-10-21',
  geminiVersion: 'v1beta',
  sparkVersion: 'v3.5',
  plugin: 'pdf_extracter',
  library: 'library-7',
}
/** A value that is refused by every kind that gives the column `other` a meaning. */
const MEANINGLESS = 'é'

describe('the console’s form of a channel and what the gateway reads', () => {
  describe.each(CHANNEL_KINDS.map((provider) => [provider.name, provider] as const))('%s', (_, provider) => {
    it('writes keys in every form that the relay reads, and in no other', () => {
      const taken = provider.keys.map((form) => {
        const parts = form.parts.map((field) =>
          field === 'key' ? (WRITTEN[provider.written ?? ''] ?? SAMPLE.key) : SAMPLE[field],
        )
        return keyForms.keyProblem(provider.code, parts.join('|'), {})
      })
      expect(taken).toEqual(provider.keys.map(() => undefined))
    })

    it('has the config that the gateway accepts for it', () => {
      for (const { id } of provider.keys) {
        const config = Object.fromEntries(configFieldsOf(provider.code, id).map((field) => [field, SAMPLE[field]]))
        expect(configProblems(provider.code, config)).toEqual([])
      }
    })

    it('uses the column `other` where the relay does', () => {
      expect(provider.other === undefined).toBe(otherProblem(provider.code, MEANINGLESS) === undefined)
      if (provider.other !== undefined)
        expect(otherProblem(provider.code, OTHERS[provider.other.meaning])).toBeUndefined()
    })

    it('shares its form of keys with the same other types', () => {
      for (const { code } of CHANNEL_KINDS) {
        expect([code, hasSameKeyForm(provider.code, code)]).toEqual([
          code,
          keyForms.hasSameKeyForm(provider.code, code),
        ])
      }
    })
  })
})
