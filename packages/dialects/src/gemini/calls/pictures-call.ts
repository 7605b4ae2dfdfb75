import type { CallTranslation, DecodedCall, Encoded, Inexpressible } from '../../canon/codec.ts'
import { Losses } from '../../canon/losses.ts'
import { errorInside, type UpstreamError } from '../../canon/upstream-error.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import { imagesUsage } from '../../openai-images/usage.ts'
import { usageOfReply } from '../../usage/usage-report.ts'
import { geminiUsage } from '../usage.ts'

/** `/v1/images/generations` as `generateContent` of a Gemini image model: one picture per call. */
export const geminiPictures: CallTranslation = {
  encode(request): Encoded | Inexpressible {
    if (typeof request['n'] === 'number' && request['n'] > 1) {
      return { field: 'n', rule: 'must be 1 for this provider, which generates one image per call' }
    }
    const losses = new Losses()
    const { prompt } = readPicture(request, losses)
    const imageConfig = { ...ratioOf(request['size'], losses), ...imageSizeOf(request['size']) }
    return {
      body: {
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
        },
      },
      losses: losses.list(),
    }
  },
  decode(reply): DecodedCall | { readonly invalid: string } {
    const error = errorInside(reply)
    const usage = usageOfReply(geminiUsage, reply)
    if (error !== undefined) return { reply: {}, usage, error }
    const { candidates, promptFeedback } = reply
    const first = asObject(Array.isArray(candidates) ? candidates[0] : undefined)
    const parts = asObject(first?.['content'])?.['parts']
    const data = (Array.isArray(parts) ? parts : []).flatMap((part) => pictureOf(asObject(part)))
    if (data.length > 0) return { reply: { data }, usage }
    const why = asObject(promptFeedback)?.['blockReason'] ?? first?.['finishReason']
    return typeof why === 'string' && why !== 'STOP'
      ? { reply: {}, usage, error: refusal(`the provider did not generate an image: ${why}`) }
      : { invalid: 'it contains no image' }
  },
}

/** `/v1/images/generations` as `predict` of Imagen on Vertex AI. */
export const imagenPictures: CallTranslation = {
  encode(request): Encoded {
    const losses = new Losses()
    const { prompt } = readPicture(request, losses)
    const sampleCount = typeof request['n'] === 'number' ? request['n'] : 1
    const parameters = { sampleCount, ...ratioOf(request['size'], losses) }
    return { body: { instances: [{ prompt }], parameters }, losses: losses.list() }
  },
  decode({ predictions, ...reply }): DecodedCall | { readonly invalid: string } {
    const error = errorInside(reply)
    if (error !== undefined) return { reply: {}, usage: undefined, error }
    const found = (Array.isArray(predictions) ? predictions : []).map(asObject)
    const data = found.flatMap((item) => {
      const picture = item?.['bytesBase64Encoded']
      return typeof picture === 'string' ? [{ b64_json: picture }] : []
    })
    if (data.length > 0) return { reply: { data }, usage: usageOfReply(imagesUsage, { data }) }
    // A reply without predictions means that Imagen withheld all pictures.
    return { reply: {}, usage: undefined, error: refusal('the provider withheld every image') }
  },
}

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

/** Lists untranslated fields as lost, and addresses as the response format, because Google returns the pictures themselves. */
function readPicture(request: JsonObject, losses: Losses): { readonly prompt: unknown } {
  const { model: _, prompt, n: __, size: ___, response_format: format, stream, ...rest } = request
  if (format === 'url') losses.changed('response_format')
  if (stream === true) losses.changed('stream')
  for (const [name, value] of Object.entries(rest)) if (value !== null && value !== 'auto') losses.dropped(name)
  return { prompt }
}

/** The nearest of Google's aspect ratios; its sizes are fixed. */
function ratioOf(size: unknown, losses: Losses): JsonObject {
  if (typeof size !== 'string' || size === 'auto') return {}
  if (RATIOS.includes(size)) return { aspectRatio: size }
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []
  if (width === undefined || height === undefined || Number(height) === 0) {
    if (!/^[124]K$/i.test(size)) losses.dropped('size')
    return {}
  }
  losses.changed('size')
  const wanted = Math.log(Number(width) / Number(height))
  const distance = (ratio: string) => Math.abs(Math.log(valueOf(ratio)) - wanted)
  return { aspectRatio: RATIOS.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best)) }
}

function valueOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

/** Later models accept a size in thousands of pixels. */
function imageSizeOf(size: unknown): JsonObject {
  return typeof size === 'string' && /^[124]K$/i.test(size) ? { imageSize: size.toUpperCase() } : {}
}

function pictureOf(part: JsonObject | undefined): readonly JsonObject[] {
  const { mimeType, data } = asObject(part?.['inlineData']) ?? {}
  const isPicture = typeof mimeType === 'string' && mimeType.startsWith('image/') && typeof data === 'string'
  // Pictures among the thoughts are drafts.
  return isPicture && part?.['thought'] !== true ? [{ b64_json: data }] : []
}

function refusal(message: string): UpstreamError {
  return { message, type: 'upstream_error', code: 'content_filter', param: undefined }
}
