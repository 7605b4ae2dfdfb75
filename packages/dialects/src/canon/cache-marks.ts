import type { Losses } from './losses.ts'
import type { CacheMark, Part } from './parts.ts'
import type { CanonRequest } from './request.ts'

/** Anthropic and Bedrock refuse more marks. */
const LIMIT = 4
/** Marks in the conversation if there are more than the limit. */
const LIMIT_OF_TURNS = 3

/**
 * Removes marks that providers refuse: those above the limit, and those that last longer than an earlier one. The last marks are
 * kept because they cover the most, and one before the conversation for the next conversation to find. Marks are counted in the
 * order in which the prompt is assembled: tools, instructions, turns.
 */
export function withFewMarks(request: CanonRequest, losses: Losses): CanonRequest {
  const head: CacheMark[] = []
  const inTurns: CacheMark[] = []
  mapHead(request, (mark) => (head.push(mark), mark))
  mapTurns(request, (mark) => (inTurns.push(mark), mark))
  const ofTurns = head.length === 0 ? LIMIT : Math.max(LIMIT_OF_TURNS, LIMIT - head.length)
  const keptOfTurns = Math.min(inTurns.length, ofTurns)
  const fitting = fit([...lastOf(head, LIMIT - keptOfTurns), ...lastOf(inTurns, keptOfTurns)], losses)
  if (fitting === undefined) return request
  const next = () => fitting.shift()
  return { ...request, ...mapHead(request, next), ...mapTurns(request, next) }
}

type Change = (mark: CacheMark) => CacheMark | undefined

function lastOf(marks: readonly CacheMark[], count: number): readonly (CacheMark | undefined)[] {
  return marks.map((mark, index) => (index < marks.length - count ? undefined : mark))
}

/** Undefined if nothing changes. */
function fit(marks: readonly (CacheMark | undefined)[], losses: Losses): (CacheMark | undefined)[] | undefined {
  const firstShort = marks.findIndex((mark) => mark?.ttl === '5m')
  const isLate = (mark: CacheMark | undefined, at: number) => mark?.ttl === '1h' && firstShort >= 0 && at > firstShort
  if (marks.every((mark, at) => mark !== undefined && !isLate(mark, at))) return undefined
  losses.changed('cache_control')
  return marks.map((mark, at) => (isLate(mark, at) ? { ttl: '5m' } : mark))
}

function mapHead({ tools, system }: CanonRequest, change: Change): Pick<CanonRequest, 'tools' | 'system'> {
  return {
    tools: tools.map((tool) => remarked(tool, change)),
    system: system.map((part) => remarked(part, change)),
  }
}

function mapTurns({ turns }: CanonRequest, change: Change): Pick<CanonRequest, 'turns'> {
  return { turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map((part) => remarkedPart(part, change)) })) }
}

function remarkedPart(part: Part, change: Change): Part {
  switch (part.kind) {
    case 'tool-result': {
      const parts = part.parts.map((inner) => (inner.kind === 'opaque' ? inner : remarked(inner, change)))
      return remarked({ ...part, parts }, change)
    }
    case 'text':
    case 'image':
    case 'file':
    case 'tool-call':
      return remarked(part, change)
    default:
      return part
  }
}

function remarked<Holder extends { readonly cache?: CacheMark | undefined }>(holder: Holder, change: Change): Holder {
  return holder.cache === undefined ? holder : { ...holder, cache: change(holder.cache) }
}
