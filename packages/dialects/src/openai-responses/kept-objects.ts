import { ADDRESS, ID, type ReferringMembers, type Shape, shape } from '../references.ts'

/** Content of a message, or what a tool gave back. */
const PART: Shape = shape(() => ({ file_id: ID, image_url: ADDRESS, file_url: ADDRESS }))

/** What is made anew has no id, but may be given files. */
const CONTAINER: Shape = shape(
  () => ({ id: ID, container_id: ID, file_ids: ID, skills: shape(() => ({ skill_id: ID })) }),
  { leaf: 'id' },
)

/**
 * What a request names of the account that its key belongs to, beside answers and their items: files, containers, stores and
 * prompts. Sources that an earlier answer has cited are only told again.
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
