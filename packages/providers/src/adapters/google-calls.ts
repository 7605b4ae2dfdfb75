import type { CallTranslation } from '@sluice/dialects/canon/codec'
import { geminiEmbeddings, vertexEmbeddings } from '@sluice/dialects/gemini/calls/embeddings-call'
import { geminiPictures, imagenPictures } from '@sluice/dialects/gemini/calls/pictures-call'
import { geminiSpeech } from '@sluice/dialects/gemini/calls/speech-call'
import type { Adapter, UpstreamAddress } from './adapter.ts'
import { type AdapterCall, convertedAdapter, type DialectEndpoint } from './dialect-endpoints.ts'

/** The endpoint of a model whose paths end in the call's name, such as `:generateContent`. */
export function geminiEndpoint(addressOf: (action: string) => UpstreamAddress): DialectEndpoint {
  return {
    dialect: 'gemini',
    framing: 'sse',
    quirks: [],
    address: (path, stream) => {
      const requested = /:(\w{1,40})$/.exec(path)?.[1]
      const isOther =
        requested !== undefined && requested !== 'generateContent' && requested !== 'streamGenerateContent'
      if (isOther) return addressOf(requested)
      return addressOf(stream ? 'streamGenerateContent?alt=sse' : 'generateContent')
    },
  }
}

/** A call in OpenAI's format that is not a conversation: the models that accept it, and Google's action for it. */
interface GoogleCall {
  readonly models: RegExp
  readonly action: string
  readonly translation: CallTranslation
}

interface GoogleCalls {
  readonly own: RegExp
  readonly converted: Readonly<Record<string, readonly GoogleCall[]>>
}

const SPEECH: GoogleCall = { models: /tts/, action: 'generateContent', translation: geminiSpeech }
const PICTURES: GoogleCall = { models: /^gemini.*image/, action: 'generateContent', translation: geminiPictures }

export const STUDIO_CALLS: GoogleCalls = {
  own: /:(?:embedContent|batchEmbedContents)$/,
  converted: {
    embeddings: [{ models: /./, action: 'batchEmbedContents', translation: geminiEmbeddings }],
    images_generations: [PICTURES],
    audio_speech: [SPEECH],
  },
}

/** Vertex AI's later embedding models have only `embedContent`. */
export const VERTEX_CALLS: GoogleCalls = {
  own: /:embedContent$/,
  converted: {
    embeddings: [{ models: /^(?:text-|gemini-embedding-001)/, action: 'predict', translation: vertexEmbeddings }],
    images_generations: [PICTURES, { models: /^imagen/, action: 'predict', translation: imagenPictures }],
    audio_speech: [SPEECH],
  },
}

/** For calls that are not conversations; undefined if the model does not offer this one. */
export function googleCallAdapter(
  { own, converted }: GoogleCalls,
  call: AdapterCall,
  model: string,
  addressOf: (action: string) => UpstreamAddress,
): Adapter | undefined {
  if (call.endpoint === 'gemini_embeddings') {
    const address = own.test(call.path) ? geminiEndpoint(addressOf).address(call.path, false) : undefined
    return address && { form: { kind: 'pass' }, framing: 'sse', quirks: [], address: () => address }
  }
  const found = converted[call.endpoint]?.find(({ models }) => models.test(model))
  if (found === undefined) return undefined
  const address = addressOf(found.action)
  return convertedAdapter(found.translation, { framing: 'sse', quirks: [], address: () => address })
}
