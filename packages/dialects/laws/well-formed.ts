import type { AnswerEvent, ContentEvent } from '../src/canon/events.ts'

const KIND: Readonly<Record<ContentEvent['type'], string>> = {
  text: 'text',
  citation: 'text',
  reasoning: 'reasoning',
  proof: 'reasoning',
  refusal: 'refusal',
  'tool-start': 'tool',
  'tool-args': 'tool',
  image: 'image',
  audio: 'audio',
  opaque: 'opaque',
  'block-end': '',
}

/** The first violation of the grammar in `canon/events.ts`, if any. */
export function faultOf(events: readonly AnswerEvent[], isWhole: boolean): string | undefined {
  const kinds: string[] = []
  const ended = new Set<number>()
  let over = false
  let started = false
  for (const [at, event] of events.entries()) {
    const where = `event ${at} (${event.type})`
    if (over) return `${where} follows the end`
    switch (event.type) {
      // Usage is not content, so it may come at any time.
      case 'usage':
        break
      case 'start':
        if (started) return `${where}: start comes once`
        started = true
        break
      case 'error':
        over = true
        break
      case 'finish':
        over = true
        if (!started) return `${where} without a start`
        if (ended.size < kinds.length) return `${where} while a block is open`
        break
      default: {
        const fault = started ? blockFault(event, kinds, ended) : 'start comes first'
        if (fault !== undefined) return `${where}: ${fault}`
      }
    }
  }
  return over || !isWhole ? undefined : 'no finish and no error'
}

function blockFault(event: ContentEvent, kinds: string[], ended: Set<number>): string | undefined {
  const { block, type } = event
  const isNew = block === kinds.length
  if (block < 0 || block > kinds.length) return `block ${block} after ${kinds.length} blocks`
  if (ended.has(block)) return `block ${block} has ended`
  if (type === 'block-end') {
    if (isNew) return `block ${block} ends before it began`
    ended.add(block)
    return undefined
  }
  const kind = KIND[type]
  if (!isNew) return kind === kinds[block] && type !== 'tool-start' ? undefined : `block ${block} is of ${kinds[block]}`
  if (kind === 'tool' && type !== 'tool-start') return `block ${block} has arguments before a name`
  const open = kinds.findIndex((known, at) => !ended.has(at) && (known !== 'tool' || kind !== 'tool'))
  if (open >= 0) return `block ${block} overlaps block ${open} of ${kinds[open]}`
  kinds.push(kind)
  return undefined
}
