import { ADDRESS, ID, type ReferringMembers, type Shape, shape } from '../references.ts'

/** Content of a message, or the output of a tool. */
const PART: Shape = shape(() => ({ file_id: ID, image_url: ADDRESS, file_url: ADDRESS }))

/** A new container has no id, but can be given files. */
const CONTAINER: Shape = shape(
  () => ({ id: ID, container_id: ID, file_ids: ID, skills: shape(() => ({ skill_id: ID })) }),
  { leaf: 'id' },
)

/**
 * What a request names that belongs to the account of its key, besides answers and their items: files, containers, stores and
 * prompts. Sources cited by an earlier answer are only repeated.
 */
export const RESPONSES_REFERENCES: ReferringMembers = {
  outer: { prompt: shape(() => ({ id: ID })) },
  inner: {
    input: shape(() => ({ content: PART, output: PART, container_id: ID })),
    tools: shape(() => ({
      container: CONTAINER,
      environment: CONTAINER,
      vector_store_ids: ID,
      input_image_mask: PART,
    })),
  },
}
