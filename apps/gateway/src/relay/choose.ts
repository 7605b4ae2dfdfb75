import type { ConsideredLane, Exclusion, RoutingDecision } from '@sluice/contract/routing'
import { quoteForPicture } from '@sluice/providers/prices/picture-price'
import type { Quote } from '@sluice/providers/prices/quote'
import { unpricedQuote } from '@sluice/providers/prices/unpriced'
import type { Health, Standing } from '@sluice/routing/health'
import type { Lane } from '@sluice/routing/lane'
import { type Draw as LaneDraw, isWithin, orderLanes } from '@sluice/routing/order-lanes'
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

/** Lanes that a decision shows, and how many of them at most that were not needed: it is stored with every request. */
const LANES_SHOWN = 32
const SPARES_SHOWN = 4

/** Gathers candidates, and for each lane that is none the reason why. */
export class Selection {
  private readonly deps: ChooseDeps
  private readonly request: Plannable
  private readonly draw: Draw
  private readonly now: number
  private readonly candidates: Candidate[] = []
  private readonly tried: ConsideredLane[] = []
  private readonly left: ConsideredLane[] = []
  private readonly resting: RestingContender[] = []
  /** Of the model that is being added: lanes that come back from a rest and take only a part of their load yet. */
  private heldBack: Contender[] = []
  private session: string | undefined
  private spares = 0
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
    for (const contender of this.heldBack) this.takeOrSpare(contender, most)
    this.heldBack = []
    for (const lane of idle) this.leaveOut(model, lane, lane.excluded)
  }

  /**
   * The candidates, then as a last resort lanes that rest because they failed: trying them is better than refusing. A provider
   * that asked to be left alone is left alone, and a refused key is asked only when there is nothing else at all.
   */
  finish(most: number): Chosen {
    const isLast = this.candidates.length === 0
    for (const { contender, until, cause, isProbed } of this.resting.toSorted((a, b) => a.until - b.until)) {
      const mayTry = cause === 'failing' || (cause === 'account' && isLast)
      if (mayTry && this.candidates.length < most) this.take(contender, until)
      else this.leaveOut(contender.model, contender.route, isProbed ? 'probing' : cause, until)
    }
    const { isServed, limitedUntil } = this
    const lanes = [...this.tried, ...this.left].slice(0, LANES_SHOWN)
    const by = this.session === undefined ? this.draw.by : 'session'
    const more = this.spares > SPARES_SHOWN ? { more: this.spares - SPARES_SHOWN } : {}
    return { candidates: this.candidates, decision: { by, lanes, ...more }, isServed, limitedUntil }
  }

  private addTier(model: string, tier: Tier, most: number): void {
    const contenders: Contender[] = []
    for (const route of tier) {
      const contender = this.contenderOf(model, route)
      if (contender !== undefined) contenders.push(contender)
    }
    for (const contender of this.inOrder(contenders)) {
      if (this.isHeldBack(contender)) this.heldBack.push(contender)
      else this.takeOrSpare(contender, most)
    }
  }

  /** A lane that comes back takes its load again bit by bit, also from lanes of a lower priority. */
  private isHeldBack(contender: Contender): boolean {
    const share = shareOf(contender)
    return share < 1 && !isWithin(share, contender, this.laneDraw())
  }

  private laneDraw(): LaneDraw<Contender> {
    const session = this.draw.session()
    return session === undefined ? { random: this.deps.random } : { session, nameOf }
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
    const { cause, until, isProbed } = standing
    if (cause === 'limited') this.limitedUntil = Math.min(until, this.limitedUntil ?? until)
    this.resting.push({ contender, until, cause, isProbed })
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
    const draw = this.laneDraw()
    // Channels without weights share evenly; several keys share the weight of their channel.
    const isEven = contenders.every(({ route }) => route.channel.weight === 0)
    const baseOf = ({ route }: Contender) => (isEven ? 1 : route.channel.weight) / route.key.of
    if ('random' in draw) return orderLanes(contenders, (contender) => baseOf(contender) * worthOf(contender), draw)
    this.session = draw.session
    return escaped(orderLanes(contenders, baseOf, draw), baseOf, draw)
  }

  private takeOrSpare(contender: Contender, most: number): void {
    if (this.candidates.length < most) this.take(contender, undefined)
    else if (++this.spares <= SPARES_SHOWN) this.leaveOut(contender.model, contender.route, 'spare')
  }

  private take(contender: Contender, until: number | undefined): void {
    const { model, route, lane, upstreamModel, quote } = contender
    const share = shareOf(contender)
    this.candidates.push({ route, lane, upstreamModel, quote })
    this.tried.push({
      ...shown(model, route),
      order: this.candidates.length,
      ...(share < 1 ? { share } : {}),
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

interface RestingContender extends Pick<Extract<Standing, { kind: 'resting' }>, 'cause' | 'until' | 'isProbed'> {
  readonly contender: Contender
}

/** Whoever names a channel wants that one, however it stands. */
const ANY: Standing = { kind: 'ready', worth: 1, share: 1, open: 0 }
const worthOf = ({ standing }: Contender) => (standing.kind === 'ready' ? standing.worth : 1)
const shareOf = ({ standing }: Contender) => (standing.kind === 'ready' ? standing.share : 1)
const nameOf = ({ lane }: Contender) => `${lane.channel} ${lane.key}`

/** Conversations leave a lane that is worth less than this, the more the less it is worth … */
const LEAST_WORTH = 0.5
/** … or that has more open calls than this, and than this many times its share. */
const CROWD = 4
const CROWD_FACTOR = 2

/** The conversation's own order, with lanes behind the others that it is better to leave for now. */
function escaped(
  ordered: readonly Contender[],
  baseOf: (contender: Contender) => number,
  draw: LaneDraw<Contender>,
): readonly Contender[] {
  let open = 0
  let weights = 0
  for (const contender of ordered) {
    open += openOf(contender)
    weights += baseOf(contender)
  }
  const isEscaped = (contender: Contender) => {
    const share = weights === 0 ? 0 : (open * baseOf(contender)) / weights
    const isCrowded = openOf(contender) > CROWD && openOf(contender) > CROWD_FACTOR * share
    return isCrowded || !isWithin(worthOf(contender) / LEAST_WORTH, contender, draw)
  }
  const kept = ordered.filter((contender) => !isEscaped(contender))
  return kept.length === ordered.length ? ordered : [...kept, ...ordered.filter((contender) => isEscaped(contender))]
}

const openOf = ({ standing }: Contender) => (standing.kind === 'ready' ? standing.open : 0)

function shown(model: string, { channel, key }: Pick<Route, 'channel'> & { readonly key: IdleLane['key'] }) {
  const { id, name, priority, weight } = channel
  return { channel: id, channel_name: name, key: key.position, keys: key.of, model, priority, weight }
}
