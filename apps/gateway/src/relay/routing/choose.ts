import type { ConsideredLane, Exclusion, RoutingDecision } from '@sluice/contract/routing'
import { type RequestedTool, requestedTools } from '@sluice/dialects/requested-tools'
import { quoteForPicture } from '@sluice/providers/prices/picture-price'
import type { Quote } from '@sluice/providers/prices/quote'
import { quoteForTools } from '@sluice/providers/prices/tool-prices'
import { unpricedQuote } from '@sluice/providers/prices/unpriced'
import type { Health, Standing } from '@sluice/routing/health'
import { windowStart } from '@sluice/routing/key-window'
import type { Lane } from '@sluice/routing/lane'
import { openJson } from '../calls/light-json.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { CallerCredential } from '../stages/caller-credential.ts'
import type { Candidate } from '../stages/planned.ts'
import type { AdapterQuery, Route, TakesCallers } from '../stages/route.ts'
import type { ChannelRoutes, IdleLane, Offer, Tier } from './routing-table.ts'
import type { KeyUse, Turn } from './turns.ts'
import { drawOf, inOrder, isBeyond, type Lead, type Weighted, type WeightedKey } from './weighted.ts'

/** A model, and a group that is asked for it. */
type Asked = Pick<Candidate, 'model' | 'group' | 'groupRatio'>

/** What serves a model in a group. */
export interface ModelOffer extends Asked {
  readonly offer: Offer
}

/** What candidates are chosen by. */
export interface Plannable {
  readonly identity: Pick<
    Authorised['identity'],
    | 'group'
    | 'groups'
    | 'pinnedChannel'
    | 'pinnedKey'
    | 'pinnedModel'
    | 'models'
    | 'tokenId'
    | 'callerCredential'
    | 'ownKeys'
  >
  readonly accepted: Pick<Authorised['accepted'], 'received' | 'headers' | 'connection'>
  readonly parsed: AdapterQuery & Pick<Authorised['parsed'], 'model' | 'picture' | 'steering'>
  readonly kind: Pick<Authorised['kind'], 'endpoint' | 'path'>
  /** Absent for calls without one. */
  readonly body?: Buffer
  /** Models that the client wants tried when the first one cannot answer. */
  readonly further?: readonly string[]
}

export interface ChooseDeps {
  readonly health: Pick<Health, 'standing'>
  readonly options: () => Pick<RelayOptions, 'UnpricedModelPolicy' | 'UnpricedModelRatio'>
  /** 0 to 1. */
  readonly random: () => number
  readonly now: () => number
  /** Called when a model has no price on a channel, whatever the policy decides; must return at once. */
  readonly onUnpriced: (unpriced: { readonly channel: number; readonly model: string }) => void
}

/** How channels and keys are ordered. */
export interface Draw {
  readonly by: RoutingDecision['by']
  /** Name of the conversation; called only where there is something to choose. */
  readonly session: () => string | undefined
  /** Whose key the caller's own one is; undefined where none was sent. */
  readonly vendor?: string | undefined
}

export interface Chosen {
  readonly candidates: readonly Candidate[]
  readonly decision: RoutingDecision
  /** Some channel offers the call. */
  readonly isServed: boolean
  /** Unix milliseconds when the first lane that asked to be left alone can be called again; undefined when none did. */
  readonly limitedUntil: number | undefined
  /** Why a channel was left out that needs the caller's own key, or does not take the one that was sent; undefined for none. */
  readonly credential?: CredentialExclusion | undefined
}

export type CredentialExclusion = Extract<Exclusion, 'credential_missing' | 'credential_not_taken'>

/** Lanes that a decision shows, and at most how many of them that were not needed: it is stored with every request. */
const LANES_SHOWN = 32
const SPARES_SHOWN = 4

/** Keys of one channel that come before channels of a lower priority: most failures are caused by the provider, not by the key. */
const KEYS_FIRST = 2
/** Keys of one channel that a request looks at together, and in all: a channel can have a thousand. */
const WINDOW = 16
const LOOKS = 64

/** Gathers candidates, and for each lane that is not one, the reason why. */
export class Selection {
  readonly #deps: ChooseDeps
  readonly #request: Plannable
  readonly #draw: Draw
  readonly #now: number
  readonly #candidates: Candidate[] = []
  readonly #tried: ConsideredLane[] = []
  readonly #left: ConsideredLane[] = []
  readonly #cooling: CoolingLane[] = []
  /** For the model and group that are being added: lanes that recover from a cooldown and take only a part of their load so far. */
  #heldBack: Contender[] = []
  /** Further keys of its channels. */
  #further: Contender[] = []
  #session: string | undefined
  #requestedTools: readonly RequestedTool[] | undefined
  #spares = 0
  #isFirst = true
  #use: KeyUse = 'sent'
  #isServed = false
  #limitedUntil: number | undefined
  #credential: CredentialExclusion | undefined

  constructor(deps: ChooseDeps, request: Plannable, draw: Draw) {
    this.#deps = deps
    this.#request = request
    this.#draw = draw
    this.#now = deps.now()
  }

  /** How many candidates there are. */
  get size(): number {
    return this.#candidates.length
  }

  /** Adds what serves one model for one group, until there are `most` candidates in all. */
  add({ offer: asked, use }: Turn, most: number): void {
    const { tiers, idle } = asked.offer
    this.#use = use
    for (const tier of tiers) this.#addTier(asked, tier, most)
    for (const contender of [...this.#heldBack, ...this.#further]) this.#takeOrSpare(contender, most)
    this.#heldBack = []
    this.#further = []
    if (use !== 'own') for (const lane of idle) this.#leaveOut(asked, lane, lane.excluded)
    this.#isFirst = false
  }

  /**
   * Returns the candidates, then as a last resort lanes that are in cooldown because they failed: trying them is better than
   * refusing. A provider that asked to be left alone is left alone; a refused key, one to which the model is not served, and one that
   * is called too often but whose provider did not say for how long, are used only when there is nothing else at all. A caller that names a channel wants that
   * one, whatever its state.
   */
  finish(most: number): Chosen {
    const isLast = this.#candidates.length === 0
    const isPinned = this.#draw.by === 'pin'
    for (const { candidate, until, cause, hasTrial, isGuess } of this.#cooling.toSorted((a, b) => a.until - b.until)) {
      const isRefused = cause === 'account' || cause === 'unknown_model'
      const mayTry = isPinned || cause === 'failing' || ((isRefused || isGuess) && isLast)
      if (mayTry && this.#candidates.length < most) this.#take(candidate, { until })
      else this.#leaveOut(candidate, candidate.route, hasTrial ? 'probing' : cause, until)
    }
    const isServed = this.#isServed
    const limitedUntil = this.#limitedUntil
    const lanes = [...this.#tried, ...this.#left].slice(0, LANES_SHOWN)
    const by = this.#session === undefined || isPinned ? this.#draw.by : 'session'
    const more = this.#spares > SPARES_SHOWN ? { more: this.#spares - SPARES_SHOWN } : {}
    const credential = this.#credential
    return { candidates: this.#candidates, decision: { by, lanes, ...more }, isServed, limitedUntil, credential }
  }

  #addTier(asked: Asked, tier: Tier, most: number): void {
    const fronts: Front[] = []
    for (const channel of tier) {
      const contenders = this.#contendersOf(asked, channel)
      const [first] = contenders
      if (first !== undefined) fronts.push(frontOf(first, contenders))
    }
    const ordered = inOrder(fronts, this.#lead)
    for (let round = 0; round < KEYS_FIRST; round++) {
      for (const { contenders } of ordered) this.#enter(contenders[round], most)
    }
    for (const { contenders } of ordered) {
      if (contenders.length > KEYS_FIRST) this.#further.push(...contenders.slice(KEYS_FIRST))
    }
  }

  #enter(contender: Contender | undefined, most: number): void {
    if (contender === undefined) return
    if (contender.isHeldBack) this.#heldBack.push(contender)
    else this.#takeOrSpare(contender, most)
  }

  /** As below, with the caller's own key where the request brought one: then channels that do not take it are left out. */
  #contendersOf(asked: Asked, channel: ChannelRoutes): readonly Contender[] {
    const [first] = channel.routes
    const { callerCredential, ownKeys } = this.#request.identity
    const callers = first?.callers
    if (this.#use === 'own' || this.#use === 'own_only') {
      const own = callers && ownKeys?.get(callers.vendor)?.credential
      const lanes = own && this.#boundOf(asked, callers, own)
      if (lanes === undefined && first !== undefined && this.#use === 'own_only') {
        this.#leaveOut(asked, first, 'credential_not_taken')
      }
      return lanes ?? []
    }
    if (callerCredential === undefined && callers?.mode !== 'caller') return this.#keysOf(asked, channel)
    // Its turn has been.
    if (this.#use === 'platform' && callers !== undefined && ownKeys?.has(callers.vendor) === true) return []
    const isItsVendor = callers?.vendor === this.#draw.vendor
    const bound = callers && callerCredential && isItsVendor && this.#boundOf(asked, callers, callerCredential)
    if (bound) return bound
    this.#credential ??= callerCredential === undefined ? 'credential_missing' : 'credential_not_taken'
    if (first !== undefined) this.#leaveOut(asked, first, this.#credential)
    return []
  }

  /** A channel with a caller's key, at the price for that; undefined where it is none of the channel's provider. */
  #boundOf(asked: Asked, callers: TakesCallers, credential: CallerCredential): readonly Contender[] | undefined {
    const bound = callers.bind(credential)
    if (bound === undefined) return undefined
    const groupRatio = (asked.groupRatio * callers.ratio) / RATIO_ONE
    return this.#keysOf({ ...asked, groupRatio }, { routes: [bound], fingerprints: [bound.key.fingerprint] })
  }

  /** Lanes of a channel that are not in cooldown, in order; empty when none can be called now: then the reasons are noted. */
  #keysOf(asked: Asked, { routes, fingerprints }: ChannelRoutes): readonly Contender[] {
    const [first] = routes
    if (first === undefined) return []
    const upstreamModel = first.upstreamModel(asked.model)
    const quote = this.#offeredAt(first, asked, upstreamModel)
    if (quote === undefined) return []
    const { length } = routes
    const start = length > WINDOW ? windowStart(fingerprints, drawOf(this.#lead())) : 0
    for (let from = 0; from < Math.min(length, LOOKS); from += WINDOW) {
      const until = Math.min(length, from + WINDOW)
      const contenders: Contender[] = []
      for (let at = from; at < until; at++) {
        const route = routes[(start + at) % length]
        if (route === undefined) continue
        const contender = this.#look(route, asked, upstreamModel, quote)
        if (contender !== undefined) contenders.push(contender)
      }
      if (contenders.length === 0) continue
      this.#spares += length - until
      if (contenders.length === 1) return contenders
      const ordered = inOrder(contenders, this.#lead)
      const isAnyHeldBack = ordered.some(({ isHeldBack }) => isHeldBack)
      return isAnyHeldBack ? ordered.toSorted((a, b) => Number(a.isHeldBack) - Number(b.isHeldBack)) : ordered
    }
    return []
  }

  /** What a model costs on a channel; undefined when it cannot be called there. */
  #offeredAt(route: Route, asked: Asked, upstreamModel: string): Quote | undefined {
    const { parsed, kind } = this.#request
    if (route.adapter(kind.endpoint, parsed, upstreamModel) === undefined) {
      this.#leaveOut(asked, route, 'not_served')
      return undefined
    }
    this.#isServed = true
    const quote = this.#quoteOf(route, upstreamModel)
    if (quote !== 'missing') return quote
    this.#leaveOut(asked, route, 'price_missing')
    return undefined
  }

  #look(route: Route, asked: Asked, upstreamModel: string, quote: Quote): Contender | undefined {
    const lane = route.lane(upstreamModel)
    if (!this.#isFirst && this.#isKnown(lane)) return undefined
    const { model, group, groupRatio } = asked
    const standing = this.#deps.health.standing(lane, this.#now)
    if (standing.kind === 'resting') {
      const { cause, until, hasTrial, isGuess = false } = standing
      if (cause === 'limited') this.#limitedUntil = Math.min(until, this.#limitedUntil ?? until)
      const candidate = { model, route, lane, upstreamModel, quote, group, groupRatio }
      this.#cooling.push({ candidate, until, cause, hasTrial, isGuess })
      return undefined
    }
    const { score, share, open } = standing.kind === 'ready' ? standing : TRIAL
    const name = lane.key
    const isHeldBack = isBeyond(share, name, this.#lead)
    return {
      model,
      route,
      lane,
      upstreamModel,
      quote,
      group,
      groupRatio,
      weight: 1,
      score,
      share,
      open,
      name,
      isHeldBack,
    }
  }

  /** A model and its fallback can have the same name at a provider, and a channel can serve several groups. */
  #isKnown(lane: Lane): boolean {
    return (
      this.#candidates.some((candidate) => candidate.lane === lane) ||
      this.#cooling.some(({ candidate }) => candidate.lane === lane)
    )
  }

  /** The name of a conversation takes a while to compute, so it is computed only where there is something to choose. */
  readonly #lead = (): Lead => {
    const session = this.#draw.session()
    this.#session = session
    return session === undefined ? this.#deps : { session }
  }

  #quoteOf(route: Route, upstreamModel: string): Quote | 'missing' {
    const { options, onUnpriced } = this.#deps
    const { UnpricedModelPolicy: policy, UnpricedModelRatio: ratio } = options()
    const { picture, steering } = this.#request.parsed
    const listed = route.quote(upstreamModel, this.#request.accepted.received)
    if (listed === 'missing') onUnpriced({ channel: route.channel.id, model: upstreamModel })
    const quote = listed === 'missing' ? unpricedQuote(route.kind.code, policy, ratio) : listed
    if (quote === 'missing') return quote
    const steered: Quote = steering?.isDearer === true ? { charges: 'at_least_reported', ...quote } : quote
    const { tooling } = route
    const priced = tooling === undefined ? steered : quoteForTools(steered, tooling, this.#tools())
    return picture === undefined ? priced : quoteForPicture(priced, picture.size, picture.quality)
  }

  /** Computed only for channels that have settings for them. */
  readonly #tools = (): readonly RequestedTool[] => {
    const { parsed, body } = this.#request
    if (parsed.conversation === undefined || body === undefined) return []
    return (this.#requestedTools ??= requestedTools(openJson(body, '').json))
  }

  #takeOrSpare(contender: Contender, most: number): void {
    const { share } = contender
    if (this.#candidates.length < most) this.#take(contender, share < 1 ? { share } : {})
    else if (++this.#spares <= SPARES_SHOWN) this.#leaveOut(contender, contender.route, 'spare')
  }

  #take(candidate: Candidate, more: Pick<ConsideredLane, 'share' | 'until'>): void {
    const { model, route, lane, upstreamModel, quote, group, groupRatio } = candidate
    this.#candidates.push({ model, route, lane, upstreamModel, quote, group, groupRatio })
    this.#tried.push({ ...shown(candidate, route), order: this.#candidates.length, ...more })
  }

  #leaveOut(asked: Asked, lane: Route | IdleLane, excluded: Exclusion, until?: number): void {
    if (this.#left.length >= LANES_SHOWN) return
    this.#left.push({ ...shown(asked, lane), order: 0, excluded, ...(until === undefined ? {} : { until }) })
  }
}

/** Ratios are in millionths. */
const RATIO_ONE = 1_000_000n

/** A lane that can be called. */
interface Contender extends Candidate, WeightedKey {}

/** A channel by its lanes that can be called, in order; its state is that of the first. */
interface Front extends Weighted {
  readonly contenders: readonly Contender[]
}

function frontOf(first: Contender, contenders: readonly Contender[]): Front {
  const { id, weight } = first.route.channel
  let open = 0
  for (const contender of contenders) open += contender.open
  return { contenders, weight, score: first.score, open, name: String(id) }
}

/** The one call that may try a lane after its cooldown must try it. */
const TRIAL = { score: 1, share: 1, open: 0 } as const

interface CoolingLane extends Pick<Extract<Standing, { kind: 'resting' }>, 'cause' | 'until' | 'hasTrial'> {
  readonly isGuess: boolean
  readonly candidate: Candidate
}

function shown({ model, group }: Asked, { channel, key }: Pick<Route, 'channel'> & { readonly key: IdleLane['key'] }) {
  const { id, name, priority, weight } = channel
  const lane = { channel: id, channel_name: name, key: key.position, keys: key.of, model, priority, weight }
  return group === undefined ? lane : { ...lane, group }
}
