import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import type { JsonObject } from '../json-value.ts'
import { imagesUsage } from '../openai-images/usage.ts'
import { usageOfReply } from '../usage/usage-report.ts'

/** `/v1/images/generations` of Amazon's Titan and Nova Canvas through InvokeModel. The model is in the path. */
export const bedrockPictures: CallTranslation = { encode, decode }

/** The maximum that Amazon makes in one call. */
const PICTURES_LIMIT = 5

function encode(request: JsonObject): Encoded | Inexpressible {
  const losses = new Losses()
  const { model: _, prompt, n, size, quality, response_format: format, stream: __, ...others } = request
  const { negative_prompt: negative, seed, cfg_scale: cfgScale, ...rest } = others
  if (typeof n === 'number' && n > PICTURES_LIMIT) {
    return { field: 'n', rule: `must be at most ${PICTURES_LIMIT} for this provider` }
  }
  if (format === 'url') losses.changed('response_format')
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const body = {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { text: prompt, ...(typeof negative === 'string' ? { negativeText: negative } : {}) },
    imageGenerationConfig: {
      numberOfImages: typeof n === 'number' ? n : 1,
      ...sizeOf(size, losses),
      ...qualityOf(quality, losses),
      ...(typeof seed === 'number' ? { seed } : {}),
      ...(typeof cfgScale === 'number' ? { cfgScale } : {}),
    },
  }
  return { body, losses: losses.list() }
}

function sizeOf(size: unknown, losses: Losses): JsonObject {
  if (typeof size !== 'string' || size === 'auto') return {}
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) }
  losses.dropped('size')
  return {}
}

/** Amazon knows two qualities. */
function qualityOf(quality: unknown, losses: Losses): JsonObject {
  if (typeof quality !== 'string' || quality === 'auto') return {}
  if (quality !== 'standard' && quality !== 'hd') losses.changed('quality')
  return { quality: quality === 'hd' || quality === 'high' ? 'premium' : 'standard' }
}

/** Amazon reports no time, so there is no `created`. Why pictures were withheld is in `error`, next to the pictures. */
function decode({ images, error }: JsonObject): DecodedCall | { readonly invalid: string } {
  const pictures = (Array.isArray(images) ? images : []).filter((image) => typeof image === 'string')
  if (pictures.length > 0) {
    const reply = { data: pictures.map((image) => ({ b64_json: image })) }
    return { reply, usage: usageOfReply(imagesUsage, reply) }
  }
  if (typeof error !== 'string') return { invalid: 'it does not contain any pictures' }
  return { reply: {}, usage: undefined, error: { message: error, type: undefined, code: 400, param: undefined } }
}
