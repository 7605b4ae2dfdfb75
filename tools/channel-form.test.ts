import { describe, expect, it } from 'vitest'
import {
  API_FORMATS,
  AUTH_TYPES,
  AZURE_API_VERSION,
  configFieldsOf,
  hasSameKeyForm,
  type KeyField,
  PROVIDERS,
  SECRET_CONFIG_FIELDS,
  SPARK_VERSIONS,
} from '../apps/console/src/features/channels/model/provider-table.ts'
import { hasBalance } from '../packages/providers/src/balances.ts'
import { configProblems } from '../packages/providers/src/channel-fields/config-fields.ts'
import * as keyForms from '../packages/providers/src/channel-fields/key-forms.ts'
import { SECRET_CONFIG_FIELDS as SEALED } from '../packages/providers/src/channel-fields/key-parts.ts'
import { otherProblem, storedOther } from '../packages/providers/src/channel-fields/other-field.ts'
import { CHANNEL_KINDS } from '../packages/providers/src/kind-rows.ts'
import { hasModelList } from '../packages/providers/src/offered-models.ts'
import { googleDocument } from '../packages/testkit/src/channel-bodies.ts'

/** A value that the gateway takes for each field of a key. */
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
  tenant_id: 'tenant',
  client_id: 'client',
  client_secret: 'secret',
  app_id: '1250000000',
  api_key: 'apikey',
  api_secret: 'apisecret',
  session_token: 'session',
}
/** Keys of one field that are written in a way of their own. */
const WRITTEN: Readonly<Record<string, string>> = { 'bce-v3/…': 'bce-v3/a/b', 'id.secret': 'id.secret' }
/** What `other` may hold, by its meaning. */
const OTHERS = {
  apiVersion: '2024-10-21',
  geminiVersion: 'v1beta',
  sparkVersion: 'v3.5',
  plugin: 'pdf_extracter',
  library: 'library-7',
}
/** No column `other` that means something takes this. */
const MEANINGLESS = 'é'

describe('the console’s form of a channel and what the gateway reads', () => {
  it('know the same types under the same names', () => {
    expect(PROVIDERS.map(({ code, name }) => [code, name])).toEqual(CHANNEL_KINDS.map(({ code, name }) => [code, name]))
  })

  describe.each(PROVIDERS.map((provider) => [provider.name, provider] as const))('%s', (_, provider) => {
    const kind = CHANNEL_KINDS[provider.code - 1]

    it('asks for the address that the relay needs', () => {
      const { baseUrlRequired, baseUrlEditable } = kind?.address ?? {}
      expect(provider.baseUrl).toBe(
        baseUrlRequired === true ? 'required' : baseUrlEditable === true ? 'optional' : 'none',
      )
    })

    it('writes keys in every way that the relay reads, and in no other', () => {
      const taken = provider.keys.map((form) => {
        const parts = form.parts.map((field) =>
          field === 'key' ? (WRITTEN[provider.written ?? ''] ?? SAMPLE.key) : SAMPLE[field],
        )
        return keyForms.keyProblem(provider.code, parts.join('|'), {})
      })
      expect(taken).toEqual(provider.keys.map(() => undefined))
      const isDocument = provider.code === 34
      expect(provider.keys.length).toBe(keyForms.writtenKeyForms(provider.code).length - Number(isDocument))
    })

    it('has the config that the gateway takes for it', () => {
      for (const { id } of provider.keys) {
        const config = Object.fromEntries(configFieldsOf(provider.code, id).map((field) => [field, SAMPLE[field]]))
        expect(configProblems(provider.code, config)).toEqual([])
      }
    })

    it('uses the column `other` where the relay does', () => {
      expect(provider.other === undefined).toBe(otherProblem(provider.code, MEANINGLESS) === undefined)
      if (provider.other !== undefined) expect(otherProblem(provider.code, OTHERS[provider.other])).toBeUndefined()
    })

    it('offers what can be asked of it', () => {
      expect(provider.balance === true).toBe(hasBalance(provider.code))
      expect(provider.modelList === true).toBe(hasModelList(provider.code))
      expect(provider.arnMap === true).toBe(kind?.credentials === 'sigv4')
    })

    it('keeps its key with the same other types', () => {
      for (const { code } of PROVIDERS) {
        expect([code, hasSameKeyForm(provider.code, code)]).toEqual([
          code,
          keyForms.hasSameKeyForm(provider.code, code),
        ])
      }
    })
  })

  it('agree on credentials, choices and defaults', () => {
    expect(SECRET_CONFIG_FIELDS).toEqual(SEALED)
    expect(storedOther(3, '')).toBe(AZURE_API_VERSION)
    for (const version of SPARK_VERSIONS) expect(otherProblem(18, version)).toBeUndefined()
    for (const auth_type of AUTH_TYPES) expect(configProblems(34, { auth_type })).toEqual([])
    for (const api_format of API_FORMATS) expect(configProblems(50, { api_format })).toEqual([])
  })
})
