import type { RoutingDecision } from '@sluice/contract/routing'
import type { Candidate } from '../stages/planned.ts'
import {
  type Choice,
  type ChooseDeps,
  type CoolingLane,
  type CredentialExclusion,
  type Draw,
  leftOut,
  type PossibleLane,
  openChoice,
  type Plannable,
  type ReadyLane,
  shown,
} from './choice.ts'
import { lookAt } from './look-at-channel.ts'
import type { Turn } from './turns.ts'
import { inOrder, type Weighted } from './weighted.ts'

export interface Chosen {
  readonly candidates: readonly Candidate[]
  readonly decision: RoutingDecision
  /** Some channel offers the call. */
  readonly isServed: boolean
  /** Unix milliseconds when the first rate-limited lane can be called again; undefined if there is none. */
  readonly limitedUntil: number | undefined
  /** Why a channel was excluded over the caller's own key: it needs one, or does not accept the one that was sent. */
  readonly credential?: CredentialExclusion | undefined
}

export interface CandidateLimit {
  /** For the first turn; all later turns together add the same number. */
  readonly most: number
  /** Each turn gets at least one, whatever earlier turns have: for a token's groups, and for the platform after users' own keys. */
  readonly isShared: boolean
}

/** Maximum lanes in a decision, and maximum unneeded ones among them: decisions are stored with every request. */
const LANES_SHOWN = 32
const SPARES_SHOWN = 4

/** Keys of one channel that come before channels of a lower priority: most failures are caused by the provider, not by the key. */
const KEYS_FIRST = 2

/** Lists all considered lanes, turn by turn, with a reason for each excluded one. Keeps as many ready ones as may be tried. */
export function choose(
  deps: ChooseDeps,
  request: Plannable,
  draw: Draw,
  turns: readonly Turn[],
  limit: CandidateLimit,
): Chosen {
  const choice = openChoice(deps, request, draw)
  let lanes: readonly PossibleLane[] = []
  let taken = 0
  for (const [at, turn] of turns.entries()) {
    const ofTurn = lanesOf(choice, turn, at === 0 ? undefined : lanes)
    taken = cap(ofTurn, taken, mostAt(at, taken, limit))
    lanes = at === 0 ? ofTurn : [...lanes, ...ofTurn]
  }
  const cooling = lastResort(choice, lanes, taken, turns.length === 1 ? limit.most : 2 * limit.most)
  return chosenOf(choice, lanes, cooling)
}

/** The lanes of a turn: the tiers in order, then keys that are held back, and further keys of its channels. */
function lanesOf(choice: Choice, turn: Turn, known: readonly PossibleLane[] | undefined): readonly PossibleLane[] {
  const { offer: asked, use } = turn
  const lanes: PossibleLane[] = []
  const heldBack: ReadyLane[] = []
  const further: ReadyLane[] = []
  for (const tier of asked.offer.tiers) {
    const fronts: Front[] = []
    for (const channel of tier) {
      const ready = lookAt(choice, turn, channel, lanes, known)
      const [first] = ready
      if (first !== undefined) fronts.push(frontOf(first, ready))
    }
    const ordered = inOrder(fronts, choice.lead)
    for (let round = 0; round < KEYS_FIRST; round++) {
      for (const { ready } of ordered) {
        const lane = ready[round]
        if (lane !== undefined) (lane.isHeldBack ? heldBack : lanes).push(lane)
      }
    }
    for (const { ready } of ordered) further.push(...ready.slice(KEYS_FIRST))
  }
  lanes.push(...heldBack, ...further)
  if (use !== 'own') for (const lane of asked.offer.idle) lanes.push(leftOut(asked, lane, lane.excluded))
  return lanes
}

/** A channel, represented by its callable lanes in order; its state is that of the first. */
interface Front extends Weighted {
  readonly ready: readonly ReadyLane[]
}

function frontOf({ candidate, score }: ReadyLane, ready: readonly ReadyLane[]): Front {
  const { id, weight } = candidate.route.channel
  let open = 0
  for (const lane of ready) open += lane.open
  return { ready, weight, score, open, name: String(id) }
}

function mostAt(at: number, taken: number, { most, isShared }: CandidateLimit): number {
  if (at === 0) return most
  return isShared ? Math.max(2 * most, taken + 1) : 2 * most
}

/** Marks ready lanes beyond `most` candidates in total. Returns the new number of candidates. */
function cap(lanes: readonly PossibleLane[], taken: number, most: number): number {
  let count = taken
  for (const lane of lanes) {
    if (lane.kind !== 'ready') continue
    if (count < most) count += 1
    else lane.excluded = 'spare'
  }
  return count
}

/**
 * Adds, as a last resort, lanes that are in cooldown because they failed: trying them is better than refusing. A provider that
 * asked for a pause is not called; a refused key, a key that cannot use the model, and a rate-limited key without a stated wait are
 * used only if there is nothing else at all. A caller that selects a channel wants that one, whatever its state.
 */
function lastResort(
  { isPinned }: Choice,
  lanes: readonly PossibleLane[],
  taken: number,
  most: number,
): readonly CoolingLane[] {
  const cooling = lanes.filter((lane) => lane.kind === 'cooling').toSorted((a, b) => a.until - b.until)
  let count = taken
  for (const lane of cooling) {
    const { cause, isGuess } = lane
    const isRefused = cause === 'account' || cause === 'unknown_model'
    const mayTry = isPinned || cause === 'failing' || ((isRefused || isGuess) && taken === 0)
    if (!mayTry || count >= most) continue
    lane.excluded = undefined
    count += 1
  }
  return cooling
}

/** Returns the list that is used and stored. `cooling` are those of `lanes` that come last. */
function chosenOf(choice: Choice, lanes: readonly PossibleLane[], cooling: readonly CoolingLane[]): Chosen {
  const candidates: Candidate[] = []
  const tried: RoutingDecision['lanes'] = []
  const left: RoutingDecision['lanes'] = []
  let spares = 0
  let isServed = false
  let limitedUntil: number | undefined
  let credential: CredentialExclusion | undefined
  const enter = (lane: PossibleLane) => {
    const { excluded } = lane
    if (lane.kind !== 'left_out' || excluded === 'price_missing') isServed = true
    if (excluded === choice.credential) credential = choice.credential
    if (lane.kind !== 'left_out' && excluded === undefined) {
      candidates.push(lane.candidate)
      tried.push(shown(lane, candidates.length))
      return
    }
    if (excluded === 'spare') spares += 1
    if (left.length < LANES_SHOWN && (excluded !== 'spare' || spares <= SPARES_SHOWN)) left.push(shown(lane, 0))
  }
  for (const lane of lanes) if (lane.kind !== 'cooling') enter(lane)
  for (const lane of cooling) {
    if (lane.cause === 'limited') limitedUntil = Math.min(lane.until, limitedUntil ?? lane.until)
    enter(lane)
  }
  const by = choice.session === undefined || choice.isPinned ? choice.by : 'session'
  const unlisted = Math.max(0, spares - SPARES_SHOWN) + choice.unlooked
  const more = unlisted === 0 ? {} : { more: unlisted }
  const decision = { by, lanes: [...tried, ...left].slice(0, LANES_SHOWN), ...more }
  return { candidates, decision, isServed, limitedUntil, credential }
}
