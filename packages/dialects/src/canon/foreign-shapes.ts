import {
  type AnswerEncoder,
  type ClientCodec,
  type Encoded,
  type Inexpressible,
  isInexpressible,
  type UpstreamCodec,
} from './codec.ts'
import type { ContentEvent } from './events.ts'
import { Losses } from './losses.ts'
import type { ChatDialect, ImagePart, MediaSource, OpaquePart, Part, TextPart, Turn } from './parts.ts'
import type { ReplyBlock } from './reply.ts'
import type { CanonRequest } from './request.ts'
import { textForm } from './text-form.ts'

/**
 * Converts shapes of another dialect before they reach the codec: they become text and pictures, listed as changed. A shape that
 * only its own provider can read is refused by name, because the model would lack what its answer must be based on; a shape that is
 * meaningless to a model is listed as dropped.
 */
export function withTextForms(codec: UpstreamCodec): UpstreamCodec {
  return {
    ...codec,
    encodeRequest: (request, target) => {
      const losses = new Losses()
      const readable = readableRequest(request, codec.dialect, losses)
      if ('rule' in readable) return readable
      const encoded: Encoded | Inexpressible = codec.encodeRequest(readable, target)
      const found = losses.list()
      return isInexpressible(encoded) || found.length === 0
        ? encoded
        : { ...encoded, losses: [...found, ...encoded.losses] }
    },
  }
}

function readableRequest(request: CanonRequest, dialect: ChatDialect, losses: Losses): CanonRequest | Inexpressible {
  if (!request.turns.some((turn) => turn.parts.some((part) => holdsForeign(part, dialect)))) return request
  const turns: Turn[] = []
  for (const [index, turn] of request.turns.entries()) {
    const parts: Part[] = []
    for (const [at, part] of turn.parts.entries()) {
      const field = `messages[${index}].content[${at}]`
      const written = readablePart(part, dialect, field, losses)
      if ('rule' in written) return written
      parts.push(...written)
    }
    turns.push(...turnsOf({ ...turn, parts }))
  }
  return { ...request, turns }
}

const holdsForeign = (part: Part, dialect: ChatDialect): boolean =>
  part.kind === 'tool-result' ? part.parts.some((inner) => holdsForeign(inner, dialect)) : isForeign(part, dialect)

const isForeign = (part: Part, dialect: ChatDialect): part is OpaquePart =>
  part.kind === 'opaque' && part.dialect !== dialect

function readablePart(
  part: Part,
  dialect: ChatDialect,
  field: string,
  losses: Losses,
): readonly Part[] | Inexpressible {
  if (isForeign(part, dialect)) return inWords(part, field, losses)
  if (part.kind !== 'tool-result' || !holdsForeign(part, dialect)) return [part]
  const parts: (typeof part.parts)[number][] = []
  for (const inner of part.parts) {
    const written = isForeign(inner, dialect) ? inWords(inner, field, losses) : [inner]
    if ('rule' in written) return written
    parts.push(...written)
  }
  return [{ ...part, parts }]
}

function inWords(part: OpaquePart, field: string, losses: Losses): readonly (TextPart | ImagePart)[] | Inexpressible {
  const { text, pictures, isSealed } = textForm(part)
  if (text !== '' || pictures.length > 0) {
    losses.changed(part.name)
    return [...(text === '' ? [] : [{ kind: 'text' as const, text }]), ...pictures]
  }
  if (isSealed) return { field, rule: `must not be a ${part.name} that only its original provider can read` }
  losses.dropped(part.name)
  return []
}

/** Only results may answer calls. The output of a tool that the target does not know is shown after them, in the user's turn. */
function turnsOf(turn: Turn): readonly Turn[] {
  if (turn.role !== 'tool') return turn.parts.length === 0 ? [] : [turn]
  const isResult = ({ kind }: Part) => kind === 'tool-result' || kind === 'opaque'
  const results = turn.parts.filter(isResult)
  const shown = turn.parts.filter((part) => !isResult(part))
  return [
    ...(results.length === 0 ? [] : [{ ...turn, parts: results }]),
    ...(shown.length === 0 ? [] : [{ role: 'user' as const, parts: shown }]),
  ]
}

/** Shows clients the shapes of the provider's dialect as text: code that was run, results of a server's tool. */
export function withTextOfShapes(codec: ClientCodec): ClientCodec {
  const { dialect } = codec
  return {
    ...codec,
    openEncoder: (context) => readableEncoder(codec.openEncoder(context), dialect),
    encodeReply: (reply, context) => {
      const blocks = reply.blocks.flatMap((block) => readableBlock(block, dialect))
      return codec.encodeReply({ ...reply, blocks }, context)
    },
  }
}

function readableEncoder(encoder: AnswerEncoder, dialect: ChatDialect): AnswerEncoder {
  /** The end of a hidden block is hidden too. */
  const hidden = new Set<number>()
  const readable = (event: ContentEvent): readonly ContentEvent[] => {
    if (event.type === 'block-end') return hidden.delete(event.block) ? [] : [event]
    if (event.type !== 'opaque' || event.dialect === dialect) return [event]
    const { text, pictures } = shownForm(event)
    if (text === '' && pictures.length === 0) hidden.add(event.block)
    return text === '' ? picturesAs(pictures, event.block) : [{ type: 'text', block: event.block, delta: text }]
  }
  return {
    push: (event) =>
      event.type === 'start' ? encoder.push(event) : readable(event).flatMap((shown) => encoder.push(shown)),
    finish: (finish, usage) => encoder.finish(finish, usage),
  }
}

function readableBlock(block: ReplyBlock, dialect: ChatDialect): readonly ReplyBlock[] {
  if (block.kind !== 'opaque' || block.dialect === dialect) return [block]
  const { text, pictures } = shownForm(block)
  if (text !== '') return [{ kind: 'text', text, citations: [] }]
  return pictures.flatMap(({ source }) =>
    source.type === 'base64' ? [{ kind: 'image' as const, mime: source.mime, data: source.data }] : [],
  )
}

/** A block holds one picture: a picture that a provider made has an item of its own. */
function picturesAs(pictures: readonly ImagePart[], block: number): readonly ContentEvent[] {
  const [source] = pictures.map((picture) => picture.source)
  return source?.type === 'base64' ? [{ type: 'image', block, mime: source.mime, data: source.data }] : []
}

/** Searches are omitted because the text cites their results, and tool listings because only their own client can use them. */
const BEHIND_THE_SCENES = /(?:^|_)(?:search|fetch|list|listing)(?:_|$)|^tool(?:Call|Response)$/

function shownForm({ name, value }: Pick<OpaquePart, 'name' | 'value'>) {
  const of = typeof value['name'] === 'string' && name === 'server_tool_use' ? value['name'] : name
  if (BEHIND_THE_SCENES.test(of)) return { text: '', pictures: [] }
  const { text, pictures } = textForm({ name, value })
  const isOnePicture = text === '' && pictures.length === 1 && pictures[0]?.source.type === 'base64'
  if (isOnePicture) return { text: '', pictures }
  // On separate lines, like code that Gemini ran; Markdown shows pictures between them.
  const code = text === '' ? '' : `\n\`\`\`\n${text}\n\`\`\`\n`
  return { text: code + pictures.map(({ source }) => `\n![image](${addressOf(source)})\n`).join(''), pictures: [] }
}

function addressOf(source: MediaSource): string {
  switch (source.type) {
    case 'base64':
      return `data:${source.mime};base64,${source.data}`
    case 'url':
      return source.url
    case 'file-id':
      return source.id
  }
}
