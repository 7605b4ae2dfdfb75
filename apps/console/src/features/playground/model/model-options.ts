import type { PriceList, Capabilities } from '@sluice/contract/price-list'
import { capabilitiesWhere } from './parameters.ts'

/** A model that the chosen token may use. */
export interface ModelOption {
  readonly id: string
  readonly label: string
  /** Labels of the channels that offer it, without duplicates. */
  readonly channels: readonly string[]
  readonly object: 'model'
  /** Whether the model is on the token's own list, or available to the owner's group. */
  readonly owned_by: 'token-restricted' | 'user-entitlement'
}

/** The names on a token's list; none when it may use everything that its owner may. */
export function restrictedModels(models: string | null): readonly string[] {
  return (models ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

interface ModelSources {
  /** List of the token: comma-separated, empty or null for none. */
  readonly restricted: string | null
  /** The models of the owner's group. */
  readonly entitled: readonly string[]
  readonly channels: readonly ChannelOption[]
}

/** The models that a token may use, sorted by name and without duplicates. */
export function modelOptions({ restricted, entitled, channels }: ModelSources): readonly ModelOption[] {
  const own = restrictedModels(restricted)
  const owned_by = own.length > 0 ? 'token-restricted' : 'user-entitlement'
  return [...new Set(own.length > 0 ? own : entitled)].toSorted(BY_NAME.compare).map((id) => ({
    id,
    label: id,
    channels: [...new Set(channels.flatMap(({ models, label }) => (models.has(id) ? [label] : [])))],
    object: 'model',
    owned_by,
  }))
}

/** The models of one channel; all if none is given. */
export function modelsOfChannel(
  options: readonly ModelOption[],
  channel: ChannelOption | undefined,
): readonly ModelOption[] {
  return channel === undefined ? options : options.filter(({ id }) => channel.models.has(id))
}

/**
 * The model in use: if on offer the chosen one, otherwise that of an earlier visit, otherwise the first on offer; '' if none is.
 */
export function modelInForce(
  options: readonly ModelOption[],
  chosen: string | undefined,
  stored: string | undefined,
): string {
  // Cleared by the user: nothing is chosen until the user makes a choice.
  if (chosen === '') return ''
  const offered = (name: string | undefined) => options.some(({ id }) => id === name)
  if (chosen !== undefined && offered(chosen)) return chosen
  if (stored !== undefined && offered(stored)) return stored
  return options[0]?.id ?? ''
}

/** Maximum tokens per answer on the strictest of a model's channels; undefined if none is known. */
export function answerLimitIn(list: PriceList, model: string): number | undefined {
  const limits = Object.values(list).flatMap(({ models }) => models[model]?.max_tokens || [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** What a model accepts, whichever of its channels the gateway chooses. Nothing is certain about a model that no channel lists. */
export function capabilitiesIn(list: PriceList, model: string): Capabilities {
  const shown = Object.values(list).flatMap(({ models }) => models[model]?.capabilities ?? [])
  return capabilitiesWhere((name) => shown.length > 0 && shown.every((capabilities) => capabilities[name]))
}

/** Maximum number of channels suggested at a time. */
export const MOST_CHANNEL_SUGGESTIONS = 12

/** A channel whose models can be asked. */
export interface ChannelOption {
  /** `{channel type}:{channel name}`, as the gateway keys it. */
  readonly key: string
  /** The part of the key after the first colon. */
  readonly label: string
  /** The part before it. */
  readonly provider: string
  readonly models: ReadonlySet<string>
}

/** The channels in the order in which the gateway lists them. */
export function channelOptions(list: PriceList): readonly ChannelOption[] {
  return Object.entries(list).map(([key, { models }]) => {
    const colon = key.indexOf(':')
    return {
      key,
      label: key.slice(colon + 1),
      provider: colon === -1 ? '' : key.slice(0, colon),
      models: new Set(Object.keys(models)),
    }
  })
}

/** The first names of a list, and how many were left out, in the words of `more`. */
export function listedNames(names: readonly string[], most: number, more: (count: number) => string): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} ${more(names.length - most)}` : shown
}
