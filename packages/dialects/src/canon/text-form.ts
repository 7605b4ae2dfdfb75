import { asObject, asText, isFilled, type JsonObject } from '../json-value.ts'
import { isTakenOut } from '../splice/blobs.ts'
import type { ImagePart, OpaquePart } from './parts.ts'

/** The readable part of a shape that only its own dialect has. */
export interface TextForm {
  /** The shape's name in brackets, then its members, each on its own line; '' if nothing is readable. */
  readonly text: string
  readonly pictures: readonly ImagePart[]
  /** Only its own provider can read part of it, because that part is encrypted or a file stored there. */
  readonly isSealed: boolean
}

/** Turns any shape into text for targets without a member for it: a tool's result, a summary, the report of another agent. */
export function textForm({ name, value }: Pick<OpaquePart, 'name' | 'value'>): TextForm {
  const found: Found = { pictures: [], isSealed: false }
  const made = madePicture(value)
  if (made !== undefined) return { text: '', pictures: [made], isSealed: false }
  const text = SAYS_NOTHING.has(name) ? '' : linesOf(value, found)
  return { text: text === '' ? '' : `[${name}]\n${text}`, pictures: found.pictures, isSealed: found.isSealed }
}

/** Instructions to a server, or its reports on its own settings, which no model can use. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  'compaction_trigger',
  'configuration_update',
  'fallback',
  'mcp_list_tools',
  'mcp_tool_listing',
])

interface Found {
  readonly pictures: ImagePart[]
  isSealed: boolean
}

/** Members that are meaningless to a model: ids of the provider's own objects, marks, and default values. */
const LEFT_OUT =
  /^(?:id|status|cache_control|prompt_cache_breakpoint|citations|caller|created_by|thought|.*_id|.*Id|toolType|is_error)$/
const SEALED = /^(?:encrypted_.*|fingerprint|signature|thoughtSignature)$/
/** Members whose own type describes the action: a click, a new file, a time-out. */
const ACTED = /^(?:actions?|operation|outcome)$/
/** Shown only with these unusual values. */
const FAILED: Readonly<Record<string, readonly unknown[]>> = { status: ['failed', 'incomplete'], is_error: [true] }
/** A picture or a file in text: no spaces, and longer than any word. */
const BYTES = /^(?:data:[^,]*,)?[\w+/=-]{256,}$/

function textOf(value: unknown, name: string, found: Found): string {
  if (typeof value === 'string') return BYTES.test(value) || isTakenOut(value) ? '(data)' : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const isPlain = value.length > 0 && value.every((item) => typeof item === 'string')
    return isPlain
      ? JSON.stringify(value)
      : value
          .map((item) => textOf(item, name, found))
          .filter((text) => text !== '')
          .join('\n')
  }
  const object = asObject(value)
  if (object === undefined) return ''
  const picture = pictureIn(object)
  if (picture !== undefined) {
    found.pictures.push(picture)
    return ''
  }
  return toolIn(object) ?? linesOf(object, found, ACTED.test(name))
}

/** `isTyped`: the type is meaningful. A single member is shown without its name. */
function linesOf(object: JsonObject, found: Found, isTyped = false): string {
  const lines = Object.entries(object).flatMap(([name, member]): readonly (readonly [string, string])[] => {
    if (SEALED.test(name) || name === 'file_id') found.isSealed ||= asText(member) !== ''
    const isLeftOut = SEALED.test(name) || LEFT_OUT.test(name) || (name === 'type' && !isTyped)
    const isSaid = !isLeftOut || FAILED[name]?.includes(member) === true
    const text = isSaid ? textOf(member, name, found) : ''
    return text === '' ? [] : [[name, text]]
  })
  const [only] = lines
  if (lines.length === 1 && only !== undefined && !LEFT_OUT.test(only[0])) return only[1]
  return lines.map(([name, text]) => `${name}:${text.includes('\n') ? '\n' : ' '}${text}`).join('\n')
}

/** The name of a tool that was found or added; the list of tools has its description. */
function toolIn(object: JsonObject): string | undefined {
  return isFilled(object['name']) && TOOL_MEMBERS.some((name) => name in object) ? object['name'] : undefined
}

const TOOL_MEMBERS = ['input_schema', 'parameters', 'inputSchema']

/** A picture inside a shape, in Anthropic's or OpenAI's form. */
function pictureIn(object: JsonObject): ImagePart | undefined {
  const source = asObject(object['source'])
  switch (object['type']) {
    case 'image': {
      const data = asText(source?.['data'])
      const mime = asText(source?.['media_type'])
      return data !== '' && mime !== '' ? bytes(mime, data) : pictureAt(source?.['url'] ?? object['url'])
    }
    case 'input_image':
    case 'computer_screenshot':
      return pictureAt(object['image_url'])
    default:
      return undefined
  }
}

/** A picture that a provider made earlier in the conversation. */
function madePicture({ type, result, output_format: format }: JsonObject): ImagePart | undefined {
  if (type !== 'image_generation_call' || asText(result) === '') return undefined
  return bytes(`image/${asText(format) || 'png'}`, asText(result))
}

function pictureAt(address: unknown): ImagePart | undefined {
  const url = asText(address)
  const [, mime, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  if (mime !== undefined && data !== undefined) return bytes(mime, data)
  return url === '' ? undefined : { kind: 'image', source: { type: 'url', url } }
}

function bytes(mime: string, data: string): ImagePart {
  return { kind: 'image', source: { type: 'base64', mime, data } }
}
