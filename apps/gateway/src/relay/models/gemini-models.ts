import type { ListedModel } from './list-models.ts'

/** A model as Google's API shows it. Unknown properties are omitted. */
interface GeminiModel {
  readonly name: string
  readonly displayName: string
  readonly supportedGenerationMethods: readonly string[]
}

const CONVERSATION = ['generateContent', 'streamGenerateContent', 'countTokens']
const EMBEDDING = ['embedContent', 'batchEmbedContents', 'countTokens']

/** All models in one page. */
export function geminiModels(listed: readonly ListedModel[]): { readonly models: readonly GeminiModel[] } {
  return { models: listed.map(geminiModel) }
}

export function geminiModel({ id }: ListedModel): GeminiModel {
  const supportedGenerationMethods = /embed/i.test(id) ? EMBEDDING : CONVERSATION
  return { name: `models/${id}`, displayName: id, supportedGenerationMethods }
}
