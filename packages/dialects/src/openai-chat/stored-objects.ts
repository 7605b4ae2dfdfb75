import { ADDRESS, ID, type ReferringMembers, type Shape, shape } from '../references.ts'

/** A picture or video by its address; some vendors accept the address as plain text. */
const LINK: Shape = shape(() => ({ url: ADDRESS, uri: ADDRESS, file_id: ID }))
const LINK_OR_TEXT: Shape = { ...LINK, leaf: 'address' }

const PART: Shape = shape(() => ({
  file: shape(() => ({ file_id: ID, file_url: ADDRESS })),
  file_id: ID,
  image_url: LINK_OR_TEXT,
  video_url: LINK_OR_TEXT,
  file_url: LINK_OR_TEXT,
  url: ADDRESS,
}))

const SPOKEN: Shape = shape(() => ({ id: ID }))
const WITH_SOUND: Shape = shape(() => ({ audio: SPOKEN }))

/** Spoken answers in the choices of a reply, to which later requests may refer. */
export const SPOKEN_ANSWERS: Shape = shape(() => ({ message: WITH_SOUND }))

/** References to objects of the key's account: files, spoken answers, knowledge bases (Zhipu). */
export const CHAT_REFERENCES: ReferringMembers = {
  outer: {},
  inner: {
    messages: shape(() => ({ content: PART, audio: SPOKEN })),
    tools: shape(() => ({ retrieval: shape(() => ({ knowledge_id: ID })), vector_store_ids: ID })),
  },
}
