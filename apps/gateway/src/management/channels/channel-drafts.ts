import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { type ChannelSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/channels'
import type { Context } from 'hono'
import { bind, type Binding } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { planChange, planNew } from './channel-changes.ts'
import { parseConfig } from './channel-config.ts'
import { usableKey } from './channel-keys.ts'
import type { ChannelDeps, TestedDraft } from './channel-ports.ts'
import { patchedChannel } from './channel-settings.ts'

/** Shorter than the ten seconds that the console waits, because the result is not stored. */
const TIMEOUT_MS = 9_000
/** Drafts tested at the same time in this process. */
const TRIED_MAX = 16
const MESSAGE_MAX = 500
const REPLY_BYTES = 1_048_576
const NAMES_MAX = 2_000
const NAME = /^[^\p{Cc},]{1,255}$/u

type Draft = BodyOutput<typeof routes.testChannelDraft>

/**
 * Calls through a channel as a form describes it. They follow every rule of saving it: a stored key goes only where an update by
 * the same caller would send it (classes S5, S33), the same guard checks addresses (S1 to S4), and provider texts are shown without
 * the key.
 */
export function channelDraftRoutes(deps: ChannelDeps): readonly Binding[] {
  let tried = 0
  const bounded = async <T>(run: () => Promise<T>): Promise<T | Refusal> => {
    if (tried >= TRIED_MAX)
      return { code: 'overloaded', params: { limit: `${TRIED_MAX} concurrent tests of unsaved channels` } }
    tried += 1
    try {
      return await run()
    } finally {
      tried -= 1
    }
  }

  const offered = async (caller: Pick<Caller, 'role'>, body: Draft, { req }: Context) => {
    const draft = await draftOf(deps, caller, body)
    if (isRefusal(draft)) return draft
    const names = await bounded(() => namesAt(deps, draft, req.raw.signal))
    return isRefusal(names) ? names : { data: [...names] }
  }

  return [
    bind(routes.testChannelDraft, async ({ caller, body, context }) => {
      const draft = await draftOf(deps, caller, body)
      if (isRefusal(draft)) return draft
      const model = body.model === '' ? undefined : body.model
      if (model !== undefined && !draft.models.includes(model)) {
        return invalidField('model', 'is not one of the models of this channel')
      }
      const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)])
      const result = await bounded(() => deps.testDraft(draft, model ?? null, signal))
      if (isRefusal(result)) return result
      return {
        success: result.ok,
        message: withoutSecret(result.message, draft.key).slice(0, MESSAGE_MAX),
        extra: { time: result.elapsedMs / 1_000, modelName: result.model },
      }
    }),
    bind(routes.fetchProviderModels, ({ caller, body, context }) => offered(caller, body, context)),
    bind(routes.fetchModelsOfChannel, ({ caller, id, context }) => offered(caller, { id }, context)),
  ]
}

/** The channel that a form would save, with its key. */
async function draftOf(
  deps: ChannelDeps,
  caller: Pick<Caller, 'role'>,
  { id, model: _model, ...patch }: Draft,
): Promise<TestedDraft | Refusal> {
  if (id !== undefined) {
    const planned = await planChange(deps, deps.database.kysely, caller, { ...patch, id })
    if (isRefusal(planned)) return planned
    const key = planned.keys?.tried ?? (await usableKey(deps, planned.stored))
    return key === undefined ? { code: 'channel_key_lost' } : withKey(planned.settings, key)
  }
  if (patch.type === undefined) return invalidField('type', 'Channel type is required')
  const planned = planNew(deps, patchedChannel(settingsOfBody({}), patch))
  return isRefusal(planned) ? planned : withKey(planned.settings, planned.keys[0])
}

function withKey(settings: ChannelSettings, key: string): TestedDraft {
  return { ...settings, models: splitList(settings.models), key }
}

async function namesAt(
  { kinds, fetchGuarded }: Pick<SharedPorts, 'kinds' | 'fetchGuarded'>,
  { type, baseUrl, other, config, key }: TestedDraft,
  signal: AbortSignal,
): Promise<readonly string[] | Refusal> {
  const step = kinds.modelListStep(type, { baseUrl, other, config: parseConfig(config), key })
  if (step === undefined) return { code: 'models_unsupported', params: { type: kinds.name(type) ?? type } }
  if ('rule' in step) return invalidField(step.field, step.rule)
  const { url, headers, secretHeaders } = step
  const reply = await fetchGuarded({
    method: 'GET',
    url,
    headers,
    secretHeaders,
    timeoutMs: TIMEOUT_MS,
    maxBytes: REPLY_BYTES,
    signal,
  })
  const unread = (reason: string): Refusal => ({ code: 'models_unread', params: { reason } })
  if (!reply.ok) return unread(reply.reason)
  if (reply.status === 401 || reply.status === 403) return unread('it refused the key')
  if (reply.status !== 200) return unread(`it answered with status ${reply.status}`)
  const names = step.read(parse(reply.body))
  if (names === undefined) return unread('its answer does not contain a list of models')
  // Model names from a provider become part of a comma-separated list. A name that contains the key is left out.
  const isSound = (name: string) => NAME.test(name) && withoutSecret(name, key) === name
  return [...new Set(names)].filter(isSound).slice(0, NAMES_MAX)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Shorter parts of a key are words such as a region, which may occur in messages. */
const SECRET_LENGTH = 8

/** Removes the channel's key and its parts from a provider's text, in case the provider has sent them back (class S20). */
export function withoutSecret(text: string, key: string): string {
  return key
    .split(/[|\s"]+/)
    .concat(key)
    .filter((part) => part.length >= SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, part) => shown.replaceAll(part, '***'), text)
}
