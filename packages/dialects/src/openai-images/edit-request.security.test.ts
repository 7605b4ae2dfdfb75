import { expect, test } from 'vitest'
import { readImageEdit } from './edit-request.ts'

const edit = (image: unknown) =>
  readImageEdit(new TextEncoder().encode(JSON.stringify({ model: 'm', prompt: 'p', image })))

test('pictures are counted up to their limit, and no list of all of them is built', { tags: 'S27' }, () => {
  const picture = 'data:image/png;base64,AAAA'
  expect(edit(Array<string>(64).fill(picture))).toMatchObject({ given: 64 })
  expect(edit(Array<string>(65).fill(picture))).toMatchObject({ code: 'invalid_body', field: 'image' })
})

test(
  'a picture stored in the provider’s account is refused, however the name of its id is written',
  { tags: 'S50' },
  () => {
    for (const name of ['file_id', 'File_ID', 'file_id\0x']) {
      expect(edit({ [name]: 'file-1' })).toMatchObject({ code: 'invalid_body', field: 'image.file_id' })
    }
  },
)
