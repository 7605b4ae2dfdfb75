import type { PriceList, Capabilities } from '@sluice/contract/price-list'
import { capabilitiesWhere } from './parameters.ts'

export interface ModelOption {
  readonly id: string
  readonly label: string
  /** Labels of the channels that offer the model, without duplicates. */
  readonly channels: readonly string[]
  readonly object: 'model'
  /** Whether the model is on the token's own list, or available to the owner's group. */
  readonly owned_by: 'token-restricted' | 'user-entitlement'
}

/** Names on a token's list; empty when the token may use everything that its owner may. */
export function restrictedModels(models: string | null): readonly string[] {
  return (models ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

interface ModelSources {
  /** The token's list: comma-separated, empty or null for none. */
  readonly restricted: string | null
  /** Models of the owner's group. */
  readonly entitled: readonly string[]
  readonly channels: readonly ChannelOption[]
}

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

/** All models if no channel is given. */
export function modelsOfChannel(
  options: readonly ModelOption[],
  channel: ChannelOption | undefined,
): readonly ModelOption[] {
  return channel === undefined ? options : options.filter(({ id }) => channel.models.has(id))
}

/** The chosen model if it is on offer, otherwise that of an earlier visit, otherwise the first on offer; '' if there is none. */
export function modelInForce(
  options: readonly ModelOption[],
  chosen: string | undefined,
  stored: string | undefined,
): string {
  // After the user has cleared the model, nothing is chosen until the user makes a choice.
  if (chosen === '') return ''
  const offered = (name: string | undefined) => options.some(({ id }) => id === name)
  if (chosen !== undefined && offered(chosen)) return chosen
  if (stored !== undefined && offered(stored)) return stored
  return options[0]?.id ?? ''
}

/** Maximum tokens per answer on the strictest of the model's channels; undefined if unknown. */
export function answerLimitIn(list: PriceList, model: string): number | undefined {
  const limits = Object.values(list).flatMap(({ models }) => models[model]?.max_tokens || [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** What the model accepts on each of its channels. Nothing is certain about a model that no channel lists. */
export function capabilitiesIn(list: PriceList, model: string): Capabilities {
  const shown = Object.values(list).flatMap(({ models }) => models[model]?.capabilities ?? [])
  return capabilitiesWhere((name) => shown.length > 0 && shown.every((capabilities) => capabilities[name]))
}

export const MOST_CHANNEL_SUGGESTIONS = 12

export interface ChannelOption {
  /** `{channel type}:{channel name}`, as the gateway keys it. */
  readonly key: string
  /** The part of the key after the first colon. */
  readonly label: string
  /** The part of the key before the first colon. */
  readonly provider: string
  readonly models: ReadonlySet<string>
}

/** In the order in which the gateway lists the channels. */
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

/** The first names, and how many were left out, in the words of `more`. */
export function listedNames(names: readonly string[], most: number, more: (count: number) => string): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} ${more(names.length - most)}` : shown
}
