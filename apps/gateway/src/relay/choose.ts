import type { ConsideredLane, Exclusion, RoutingDecision } from '@sluice/contract/routing'
import { quoteForPicture } from '@sluice/providers/prices/picture-price'
import type { Quote } from '@sluice/providers/prices/quote'
import { unpricedQuote } from '@sluice/providers/prices/unpriced'
import type { Health, Standing } from '@sluice/routing/health'
import type { Lane } from '@sluice/routing/lane'
import { orderLanes } from '@sluice/routing/order-lanes'
import type { Authorised } from './authenticate.ts'
import type { RelayOptions } from './relay-options.ts'
import type { AskedWay, Route } from './route.ts'
import type { IdleLane, Offer, Tier } from './routing-table.ts'

/** A channel that may serve the request, and what it would cost there. */
export interface Candidate {
  readonly route: Route
  readonly lane: Lane
  readonly upstreamModel: string
  readonly quote: Quote
}

/** What candidates are chosen by. */
export interface Plannable {
  readonly identity: Pick<Authorised['identity'], 'group' | 'pinnedChannel' | 'models' | 'tokenId'>
  readonly accepted: Pick<Authorised['accepted'], 'received' | 'headers'>
  readonly asked: AskedWay & Pick<Authorised['asked'], 'model' | 'picture'>
  readonly kind: Pick<Authorised['kind'], 'endpoint' | 'path'>
  /** Absent for calls without one. */
  readonly body?: Buffer
}

export interface ChooseDeps {
  readonly health: Pick<Health, 'standing'>
  readonly options: () => Pick<RelayOptions, 'UnpricedModelPolicy' | 'UnpricedModelRatio'>
  /** 0 to 1. */
  readonly random: () => number
  readonly now: () => number
  /** Told when a model has no price on a channel, whatever the policy makes of it; must return at once. */
  readonly onUnpriced: (unpriced: { readonly channel: number; readonly model: string }) => void
}

/** How the lanes of one tier are ordered. */
export interface Draw {
  readonly by: RoutingDecision['by']
  /** Name of the conversation; asked for only where there is something to choose. */
  readonly session: () => string | undefined
}

export interface Chosen {
  readonly candidates: readonly Candidate[]
  readonly decision: RoutingDecision
  /** Some channel offers the call. */
  readonly isServed: boolean
  /** Unix milliseconds when the first lane that asked to be left alone may be asked again; undefined when none did. */
  readonly limitedUntil: number | undefined
}

/** Lanes that a decision shows. */
const LANES_SHOWN = 32

/** Gathers candidates, and for each lane that is none the reason why. */
export class Selection {
  private readonly deps: ChooseDeps
  private readonly request: Plannable
  private readonly draw: Draw
  private readonly now: number
  private readonly candidates: Candidate[] = []
  private readonly tried: ConsideredLane[] = []
  private readonly left: ConsideredLane[] = []
  private readonly resting: { readonly contender: Contender; readonly until: number; readonly cause: string }[] = []
  private session: string | undefined
  private isServed = false
  private limitedUntil: number | undefined

  constructor(deps: ChooseDeps, request: Plannable, draw: Draw) {
    this.deps = deps
    this.request = request
    this.draw = draw
    this.now = deps.now()
  }

  get size(): number {
    return this.candidates.length
  }

  /** Adds what serves one model, until there are `most` candidates in all. */
  add(model: string, { tiers, idle }: Offer, most: number): void {
    for (const tier of tiers) this.addTier(model, tier, most)
    for (const lane of idle) this.leaveOut(model, lane, lane.excluded)
  }

  /**
   * The candidates, then as a last resort lanes that rest because they failed: trying them is better than refusing. A provider
   * that asked to be left alone is left alone, and a refused key is asked only when there is nothing else at all.
   */
  finish(most: number): Chosen {
    const isLast = this.candidates.length === 0
    for (const { contender, until, cause } of this.resting.toSorted((a, b) => a.until - b.until)) {
      const mayTry = cause === 'failing' || (cause === 'account' && isLast)
      if (mayTry && this.candidates.length < most) this.take(contender, until)
      else this.leaveOut(contender.model, contender.route, cause as Exclusion, until)
    }
    const { isServed, limitedUntil } = this
    const lanes = [...this.tried, ...this.left].slice(0, LANES_SHOWN)
    const by = this.session === undefined ? this.draw.by : 'session'
    return { candidates: this.candidates, decision: { by, lanes }, isServed, limitedUntil }
  }

  private addTier(model: string, tier: Tier, most: number): void {
    const contenders: Contender[] = []
    for (const route of tier) {
      const contender = this.contenderOf(model, route)
      if (contender !== undefined) contenders.push(contender)
    }
    for (const contender of this.inOrder(contenders)) {
      if (this.candidates.length < most) this.take(contender, undefined)
      else this.leaveOut(model, contender.route, 'spare')
    }
  }

  /** Undefined when the lane is not to be asked now; then the reason is noted. */
  private contenderOf(model: string, route: Route): Contender | undefined {
    const { asked, kind } = this.request
    const upstreamModel = route.upstreamModel(model)
    if (route.way(kind.endpoint, asked, upstreamModel) === undefined) {
      this.leaveOut(model, route, 'not_served')
      return undefined
    }
    this.isServed = true
    const quote = this.quoteOf(route, upstreamModel)
    if (quote === 'missing') {
      this.leaveOut(model, route, 'price_missing')
      return undefined
    }
    const lane = route.lane(upstreamModel)
    const standing: Standing = this.draw.by === 'pin' ? ANY : this.deps.health.standing(lane, this.now)
    const contender: Contender = { model, route, lane, upstreamModel, quote, standing }
    if (standing.kind !== 'resting') return contender
    const { cause, until } = standing
    if (cause === 'limited') this.limitedUntil = Math.min(until, this.limitedUntil ?? until)
    this.resting.push({ contender, until, cause })
    return undefined
  }

  private quoteOf(route: Route, upstreamModel: string): Quote | 'missing' {
    const { options, onUnpriced } = this.deps
    const { UnpricedModelPolicy: policy, UnpricedModelRatio: ratio } = options()
    const { picture } = this.request.asked
    const listed = route.quote(upstreamModel, this.request.accepted.received)
    if (listed === 'missing') onUnpriced({ channel: route.channel.id, model: upstreamModel })
    const quote = listed === 'missing' ? unpricedQuote(route.kind.code, policy, ratio) : listed
    return quote === 'missing' || picture === undefined ? quote : quoteForPicture(quote, picture.size, picture.quality)
  }

  private inOrder(contenders: readonly Contender[]): readonly Contender[] {
    if (contenders.length < 2) return contenders
    const session = this.draw.session()
    // Channels without weights share evenly; several keys share the weight of their channel.
    const isEven = contenders.every(({ route }) => route.channel.weight === 0)
    const baseOf = ({ route }: Contender) => (isEven ? 1 : route.channel.weight) / route.key.of
    if (session === undefined) {
      const weightOf = (contender: Contender) => baseOf(contender) * worthOf(contender)
      return orderLanes(contenders, weightOf, { random: this.deps.random })
    }
    this.session = session
    const nameOf = ({ lane }: Contender) => `${lane.channel} ${lane.key}`
    const ordered = orderLanes(contenders, baseOf, { session, nameOf })
    return escaped(ordered, baseOf)
  }

  private take({ model, route, lane, upstreamModel, quote }: Contender, until: number | undefined): void {
    this.candidates.push({ route, lane, upstreamModel, quote })
    this.tried.push({
      ...shown(model, route),
      order: this.candidates.length,
      ...(until === undefined ? {} : { until }),
    })
  }

  private leaveOut(model: string, lane: Route | IdleLane, excluded: Exclusion, until?: number): void {
    if (this.left.length >= LANES_SHOWN) return
    this.left.push({ ...shown(model, lane), order: 0, excluded, ...(until === undefined ? {} : { until }) })
  }
}

interface Contender extends Candidate {
  readonly model: string
  readonly standing: Standing
}

/** Whoever names a channel wants that one, however it stands. */
const ANY: Standing = { kind: 'ready', worth: 1, open: 0 }
const worthOf = ({ standing }: Contender) => (standing.kind === 'ready' ? standing.worth : 1)

/** A conversation leaves a lane that is worth less than this … */
const LEAST_WORTH = 0.5
/** … or that has more open calls than this, and than this many times its share. */
const CROWD = 4
const CROWD_FACTOR = 2

/** The conversation's own order, with lanes behind the others that it is better to leave for now. */
function escaped(ordered: readonly Contender[], baseOf: (contender: Contender) => number): readonly Contender[] {
  let open = 0
  let weights = 0
  for (const contender of ordered) {
    open += openOf(contender)
    weights += baseOf(contender)
  }
  const isEscaped = (contender: Contender) => {
    const share = weights === 0 ? 0 : (open * baseOf(contender)) / weights
    const isCrowded = openOf(contender) > CROWD && openOf(contender) > CROWD_FACTOR * share
    return isCrowded || worthOf(contender) < LEAST_WORTH
  }
  const kept = ordered.filter((contender) => !isEscaped(contender))
  return kept.length === ordered.length ? ordered : [...kept, ...ordered.filter((contender) => isEscaped(contender))]
}

const openOf = ({ standing }: Contender) => (standing.kind === 'ready' ? standing.open : 0)

function shown(model: string, { channel, key }: Pick<Route, 'channel'> & { readonly key: IdleLane['key'] }) {
  const { id, name, priority, weight } = channel
  return { channel: id, channel_name: name, key: key.position, keys: key.of, model, priority, weight }
}
