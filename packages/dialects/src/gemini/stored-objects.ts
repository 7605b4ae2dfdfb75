import { ADDRESS, ID, type ReferringMembers, type Shape, shape } from '../references.ts'

const FILE: Shape = shape(() => ({ fileUri: ADDRESS, file_uri: ADDRESS }))
const PART: Shape = shape(() => ({
  fileData: FILE,
  file_data: FILE,
  functionResponse: RESPONSE,
  function_response: RESPONSE,
}))
const RESPONSE: Shape = shape(() => ({ parts: PART }))
const CONTENT: Shape = shape(() => ({ parts: PART }))

const SEARCH: Shape = shape(() => ({ fileSearchStoreNames: ID, file_search_store_names: ID }))
const CORPORA: Shape = shape(() => ({
  ragCorpora: ID,
  rag_corpora: ID,
  ragResources: CORPUS,
  rag_resources: CORPUS,
}))
const CORPUS: Shape = shape(() => ({ ragCorpus: ID, rag_corpus: ID }))
const STORE: Shape = shape(() => ({ datastore: ID, engine: ID, dataStoreSpecs: SPEC, data_store_specs: SPEC }))
const SPEC: Shape = shape(() => ({ dataStore: ID, data_store: ID }))
const RETRIEVAL: Shape = shape(() => ({
  vertexRagStore: CORPORA,
  vertex_rag_store: CORPORA,
  vertexAiSearch: STORE,
  vertex_ai_search: STORE,
}))
const TOOL: Shape = shape(() => ({ fileSearch: SEARCH, file_search: SEARCH, retrieval: RETRIEVAL }))

const OUTER = { cachedContent: ID, cached_content: ID } as const
const INNER = {
  contents: CONTENT,
  content: CONTENT,
  systemInstruction: CONTENT,
  system_instruction: CONTENT,
  tools: TOOL,
} as const

/** References to objects of the key's account: files, caches, stores. */
export const GEMINI_REFERENCES: ReferringMembers = { outer: OUTER, inner: INNER }

const REQUEST: Shape = shape(() => ({ ...OUTER, ...INNER }))

/** For bodies that contain whole requests: token counts, and embeddings of many texts. */
export const HELD_REFERENCES: ReferringMembers = {
  outer: { generateContentRequest: REQUEST, generate_content_request: REQUEST },
  inner: { ...INNER, requests: REQUEST },
}
